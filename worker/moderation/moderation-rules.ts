import * as z from 'zod/mini';
import type { PostStandingMessage } from '#contract/live-messages.ts';
import {
  decisionSchema,
  type KnownPerson,
  knownPersonSchema,
  type LogEntry,
  logEntrySchema,
  type ReportedPost,
} from '#contract/moderation.ts';
import type { HiddenBy } from '#contract/posts.ts';
import { REPORT_REASONS, type ReportReason } from '#contract/report-reasons.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { type Asker, postRow, presentToAdmin } from '#worker/posts/index.ts';
import { presentReportedClaim } from './reported-claim.ts';

/** A post for an admin to decide on, with its case if it has one. */
export const judgedPostRow = () =>
  z.object({
    id: z.string(),
    title: z.string(),
    hidden_by: z.number(),
    is_author_suspended: flag(),
    decision: z.nullable(decisionSchema),
    /** When it was decided. */
    since: z.nullable(z.number()),
    /** Since when the case had been waiting before the decision; null if it had not. */
    waiting_since_before: z.nullable(z.number()),
    hidden_by_before: z.nullable(z.number()),
    hidden_reason_before: z.nullable(z.string()),
  });
export type JudgedPost = RowOf<typeof judgedPostRow>;

/** @param hidden by whom and why the post is hidden; null when it is restored. */
export function toStandingMessage(
  post: { id: string; title: string },
  hidden: { by: HiddenBy; reason: string | null } | null,
  { id, now }: { id: string; now: number },
): PostStandingMessage {
  return {
    type: hidden ? 'post_hidden' : 'post_restored',
    id,
    post_id: post.id,
    title: post.title,
    hidden_by: hidden?.by ?? null,
    reason: hidden?.reason ?? null,
    created_at: new Date(now).toISOString(),
  };
}

/** The most frequent reason, counting the new report; in a tie the new report's. */
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

export const reportRow = () =>
  z.object({
    post_id: z.string(),
    reason: z.enum(REPORT_REASONS),
    text: z.nullable(z.string()),
    reporter_id: z.nullable(z.string()),
    created_at: z.number(),
    claim: z.nullable(z.string()),
  });
type ReportRow = RowOf<typeof reportRow>;

export const caseRow = () =>
  z.object({
    ...postRow().shape,
    case_id: z.string(),
    status: z.enum(['open', 'decided']),
    since: z.number(),
    is_edited: flag(),
    decision: z.nullable(z.enum(['hidden', 'restored'])),
  });
type CaseRow = RowOf<typeof caseRow>;

/** A case whose post was deleted before anybody decided. */
export const deletedCaseRow = () =>
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

export type Known = { reports: ReportRow[]; people: PersonRow[] };

/** The post with its reports, and what is known of its author and the reporters. */
export function presentCase(row: CaseRow | DeletedCaseRow, { reports, people }: Known, admin: Asker): ReportedPost[] {
  const postId = 'post_id' in row ? row.post_id : row.id;
  const own = reports.filter(({ post_id }) => post_id === postId);
  const author = people.find(({ id }) => id === row.author_id);
  // The account is gone; if not yet in the statement that read the case, the post is, too.
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

export const logRow = () => z.object({ ...logEntrySchema.shape, created_at: z.number() });

export function presentLogEntry(row: RowOf<typeof logRow>): LogEntry {
  return { ...row, created_at: new Date(row.created_at).toISOString() };
}
