import { type SQL, sql } from 'drizzle-orm';
import type { ReportedPostQuery } from '#contract/moderation.ts';
import type { Db } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { queryRows } from '#worker/db/rows.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';
import { hasProvenNumber } from '#worker/identity/proven-number.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { POST_COLUMNS } from '#worker/posts/index.ts';
import { caseRow, deletedCaseRow, personRow, reportRow } from './moderation-rules.ts';
import { REPORTED_CLAIM } from './reported-claim.ts';

/** Per post; more would tell an admin nothing new. */
const REPORTS_SHOWN = 20;

export const KNOWN_OF_PERSON = sql`
  u.id, u.username, u.created_at, ${hasProvenNumber(sql.raw('u.id'))} as is_number_proven,
  u.suspended_at is not null as is_suspended,
  (select count(*) from posts a where a.author_id = u.id) as post_count,
  (select count(*) from post_reports a where a.author_id = u.id) as reports_against,
  (select count(*) from post_reports a where a.reporter_id = u.id) as reports_made`;

/** A page of open cases, longest waiting first, or of decided ones, most recent first. */
export async function listCases(db: Db, viewer: Viewer, query: ReportedPostQuery) {
  const page = selectPage(query);
  const reports = sql`
    select r.*, row_number() over (partition by r.post_id order by r.created_at desc, r.id) as place from (
      select id, post_id, null as claim_id, reason, text, reporter_id, created_at from post_reports
      union all
      select id, post_id, claim_id, reason, text, reporter_id, created_at from claim_reports) r
    where r.post_id in (select post_id from (${page}))`;
  const [undeleted, deleted, shown, people] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, caseRow)`
      select ${POST_COLUMNS}, k.id as case_id, k.status, k.since, k.is_edited, k.decision
      from (${page}) k cross join posts p on p.id = k.post_id left join communities c on c.id = p.community_id
      ${inOrder(query)}`,
    queryRows(db, deletedCaseRow)`
      select k.id as case_id, k.post_id, k.since, ${AUTHOR_OF_DELETED} as author_id
      from (${page}) k where k.decision = 'post_deleted'`,
    queryRows(db, reportRow)`
      select r.post_id, r.reason, r.text, r.reporter_id, r.created_at, ${REPORTED_CLAIM} as claim
      from (${reports}) r where r.place <= ${REPORTS_SHOWN} order by r.created_at desc`,
    queryRows(db, personRow)`
      select ${KNOWN_OF_PERSON} from users u where u.id in (
        select p.author_id from (${page}) k cross join posts p on p.id = k.post_id
        union select ${AUTHOR_OF_DELETED} from (${page}) k where k.decision = 'post_deleted'
        union select reporter_id from (${reports}) where place <= ${REPORTS_SHOWN})`,
  ]);
  // Only decided cases are of deleted posts, and those are listed with the most recent first.
  const rows = deleted.length === 0 ? undeleted : [...undeleted, ...deleted].toSorted(byRecency);
  const cut = toTimePage(rows, query.limit, (row) => ({ time: row.since, id: row.case_id }));
  return { ...cut, known: { reports: shown, people } };
}

/** Expression: the author of the deleted post of the case `k`; null once their account is gone. */
const AUTHOR_OF_DELETED = sql.raw(`coalesce(
  (select r.author_id from post_reports r where r.post_id = k.post_id limit 1),
  (select c.finder_id from claims c where c.post_id = k.post_id limit 1))`);

type Listed = { since: number; case_id: string };

function byRecency(one: Listed, other: Listed): number {
  return other.since - one.since || (other.case_id > one.case_id ? 1 : -1);
}

/** The page's cases and one more. */
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
