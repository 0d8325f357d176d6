import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/durations.ts';
import { DECISION_LIFETIME_DAYS } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { claimReports, moderationCases, moderationLog, postReports } from '#worker/db/schema.ts';

const LIFETIME_MS = DECISION_LIFETIME_DAYS * DAY_MS;

/** Statements: delete old decisions and reports. Those of open cases, and decisions on existing posts, stay. */
export function clearExpired(db: Db, now: number) {
  const before = now - LIFETIME_MS;
  return [
    deleteSome(db, moderationLog, sql`created_at < ${before}`),
    deleteSome(
      db,
      postReports,
      sql`created_at < ${before} and not exists (
        select 1 from moderation_cases w where w.post_id = post_reports.post_id and w.status = 'open')`,
    ),
    deleteSome(
      db,
      claimReports,
      sql`created_at < ${before} and not exists (
        select 1 from moderation_cases w where w.post_id = claim_reports.post_id and w.status = 'open')`,
    ),
    deleteSome(
      db,
      moderationCases,
      sql`status = 'decided' and since < ${before} and not exists (
        select 1 from posts w where w.id = moderation_cases.post_id)`,
    ),
  ];
}
