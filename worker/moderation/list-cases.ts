import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ClaimRole } from '#contract/claims.ts';
import { REPORT_REASONS, type ReportReason } from '#contract/kinds.ts';
import {
  type KnownPerson,
  knownPersonSchema,
  type ReportedClaim,
  type ReportedPost,
  type ReportedPostQuery,
} from '#contract/moderation.ts';
import { hasProvenNumber } from '#worker/conditions/people.ts';
import type { Db } from '#worker/db/client.ts';
import {
  flag,
  parseTimeCursor,
  queryRows,
  type RowOf,
  readAsPlatformAdmin,
  toTimePage,
} from '#worker/db/statements.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { POST_COLUMNS, postRow } from '#worker/posts/post-columns.ts';
import { type Asker, presentToAdmin } from '#worker/posts/present-post.ts';

/** At most this many reports on one post are shown. More would not help an admin to decide. */
const REPORTS_SHOWN = 20;

export const KNOWN_OF_PERSON = sql`
  u.id, u.username, u.created_at, ${hasProvenNumber(sql.raw('u.id'))} as is_number_proven,
  u.suspended_at is not null as is_suspended,
  (select count(*) from posts a where a.author_id = u.id) as post_count,
  (select count(*) from post_reports a where a.author_id = u.id) as reports_against,
  (select count(*) from post_reports a where a.reporter_id = u.id) as reports_made`;

/** Reads a page of open cases, longest waiting first, or of decided ones, most recent first. */
export async function listCases(db: Db, viewer: Viewer, query: ReportedPostQuery) {
  const page = selectPage(query);
  const reports = sql`
    select r.*, row_number() over (partition by r.post_id order by r.created_at desc, r.id) as place from (
      select id, post_id, null as claim_id, reason, text, reporter_id, created_at from post_reports
      union all
      select id, post_id, claim_id, reason, text, reporter_id, created_at from claim_reports) r
    where r.post_id in (select post_id from (${page}))`;
  const { undeleted, deleted, shown, people } = await readAsPlatformAdmin(db, viewer, {
    undeleted: queryRows(db, caseRow)`
      select ${POST_COLUMNS}, k.id as case_id, k.status, k.since, k.is_edited, k.decision
      from (${page}) k cross join posts p on p.id = k.post_id left join communities c on c.id = p.community_id
      ${inOrder(query)}`,
    deleted: queryRows(db, deletedCaseRow)`
      select k.id as case_id, k.post_id, k.since, ${AUTHOR_OF_DELETED} as author_id
      from (${page}) k where k.decision = 'post_deleted'`,
    shown: queryRows(db, reportRow)`
      select r.post_id, r.reason, r.text, r.reporter_id, r.created_at, ${REPORTED_CLAIM} as claim
      from (${reports}) r where r.place <= ${REPORTS_SHOWN} order by r.created_at desc`,
    people: queryRows(db, personRow)`
      select ${KNOWN_OF_PERSON} from users u where u.id in (
        select p.author_id from (${page}) k cross join posts p on p.id = k.post_id
        union select ${AUTHOR_OF_DELETED} from (${page}) k where k.decision = 'post_deleted'
        union select reporter_id from (${reports}) where place <= ${REPORTS_SHOWN})`,
  });
  // Deleting a post decides its case, so the case belongs in the list of decided cases, which is sorted by recency.
  const rows = deleted.length === 0 ? undeleted : [...undeleted, ...deleted].toSorted(byRecency);
  const cut = toTimePage(rows, query.limit, (row) => ({ time: row.since, id: row.case_id }));
  return { ...cut, known: { reports: shown, people } };
}

/** Expression: the author of the deleted post of the case `k`; null after the author's account is deleted. */
const AUTHOR_OF_DELETED = sql.raw(`coalesce(
  (select r.author_id from post_reports r where r.post_id = k.post_id limit 1),
  (select c.finder_id from claims c where c.post_id = k.post_id limit 1))`);

type Listed = { since: number; case_id: string };

function byRecency(one: Listed, other: Listed): number {
  return other.since - one.since || (other.case_id > one.case_id ? 1 : -1);
}

/** Selects the page's cases and one more, which shows whether there is a next page. */
function selectPage({ status, cursor, limit, ...query }: ReportedPostQuery): SQL {
  const from = parseTimeCursor(cursor);
  const beyond = status === 'open' ? sql`>` : sql`<`;
  return sql`
    select k.* from moderation_cases k where k.status = ${status}
      ${from ? sql`and (k.since, k.id) ${beyond} (${from.time}, ${from.id})` : sql``}
    ${inOrder({ status, cursor, limit, ...query })} limit ${limit + 1}`;
}

function inOrder({ status }: ReportedPostQuery): SQL {
  return status === 'open' ? sql`order by k.since, k.id` : sql`order by k.since desc, k.id desc`;
}

/**
 * Returns the most frequent reason among the `given` reports and a new report with the reason `own`. In a tie, returns
 * `own`.
 */
export function chiefReason(given: { reason: ReportReason; count: number }[], own: ReportReason): ReportReason {
  const counts = new Map(given.map(({ reason, count }) => [reason, count]));
  counts.set(own, (counts.get(own) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return counts.get(own) === most ? own : (REPORT_REASONS.find((reason) => counts.get(reason) === most) ?? own);
}

export const personRow = () =>
  z.object({
    ...knownPersonSchema.shape,
    created_at: z.number(),
    is_number_proven: flag(),
    is_suspended: flag(),
  });
type PersonRow = RowOf<typeof personRow>;

const reportRow = () =>
  z.object({
    post_id: z.string(),
    reason: z.enum(REPORT_REASONS),
    text: z.nullable(z.string()),
    reporter_id: z.nullable(z.string()),
    created_at: z.number(),
    claim: z.nullable(z.string()),
  });
type ReportRow = RowOf<typeof reportRow>;

const caseRow = () =>
  z.object({
    ...postRow().shape,
    case_id: z.string(),
    status: z.enum(['open', 'decided']),
    since: z.number(),
    is_edited: flag(),
    decision: z.nullable(z.enum(['hidden', 'restored'])),
  });
type CaseRow = RowOf<typeof caseRow>;

/** A case whose post was deleted before an admin decided. The deletion decided the case (`post_deleted`). */
const deletedCaseRow = () =>
  z.object({ case_id: z.string(), post_id: z.string(), since: z.number(), author_id: z.nullable(z.string()) });
type DeletedCaseRow = RowOf<typeof deletedCaseRow>;

export function presentPerson(row: PersonRow): KnownPerson {
  return {
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    is_number_proven: row.is_number_proven === 1,
    is_suspended: row.is_suspended === 1,
  };
}

type Known = { reports: ReportRow[]; people: PersonRow[] };

/** Presents the post with its reports, and what is known about its author and the reporters. */
export function presentCase(row: CaseRow | DeletedCaseRow, { reports, people }: Known, admin: Asker): ReportedPost[] {
  const postId = 'post_id' in row ? row.post_id : row.id;
  const own = reports.filter(({ post_id }) => post_id === postId);
  const author = people.find(({ id }) => id === row.author_id);
  // The author's account was deleted after the case was read.
  if (!author) return [];
  const since = new Date(row.since).toISOString();
  const shared = {
    id: row.case_id,
    since,
    author: presentPerson(author),
    reports: own.map(({ reason, text, reporter_id, created_at, claim }) => ({
      reason,
      text,
      reporter_id,
      created_at: new Date(created_at).toISOString(),
      claim: presentReportedClaim(claim),
    })),
    reporters: people.filter(({ id }) => own.some((report) => report.reporter_id === id)).map(presentPerson),
  };
  if ('post_id' in row)
    return [
      {
        ...shared,
        status: 'decided',
        post: { id: postId },
        is_edited: false,
        decision: 'post_deleted',
        decided_at: since,
      },
    ];
  return [
    {
      ...shared,
      status: row.status,
      post: presentToAdmin(row, admin),
      is_edited: row.is_edited === 1,
      decision: row.decision,
      decided_at: row.status === 'decided' ? since : null,
    },
  ];
}

/** Expression: JSON of the whole claim that the report `r` is about, unredacted; null for a report on a post. */
const REPORTED_CLAIM = sql.raw(`(
  select json_object('id', k.id, 'claimant_id', k.claimant_id,
    'status', iif(k.state in ('declining', 'declining_asked'), 'declined', k.state),
    'question', k.question, 'private_marks', k.private_marks, 'answer', k.answer, 'messages', (
      select json_group_array(json_object('from', s."by", 'text', s.text, 'is_about_money', s.is_about_money,
        'sent_at', coalesce(s.claimant_at, s.finder_at)))
      from (select * from claim_steps where claim_id = k.id and text is not null order by seq) s))
  from claims k where k.id = r.claim_id)`);

type StoredMessage = { from: ClaimRole; text: string; is_about_money: 0 | 1; sent_at: number };
type StoredClaim = Omit<ReportedClaim, 'messages'> & { messages: StoredMessage[] };

function presentReportedClaim(json: string | null): ReportedClaim | null {
  if (json === null) return null;
  const { messages, ...claim } = JSON.parse(json) as StoredClaim;
  return {
    ...claim,
    messages: messages.map(({ from, text, is_about_money, sent_at }) => ({
      from,
      text,
      is_about_money: is_about_money === 1,
      created_at: new Date(sent_at).toISOString(),
    })),
  };
}
