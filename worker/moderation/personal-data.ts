import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { queryRows } from '#worker/db/rows.ts';

const saidRow = () => z.object({ reason: z.string(), text: z.nullable(z.string()), created_at: z.number() });
const reportRow = () => z.extend(saidRow(), { post_id: z.string() });
const claimReportRow = () => z.extend(saidRow(), { claim_id: z.string() });
const decisionRow = () =>
  z.object({
    action: z.string(),
    target_type: z.string(),
    target_id: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    created_at: z.number(),
  });

/**
 * Reports stay without their reporter, and log entries without their admin. Reports on the person's own posts are
 * deleted.
 */
export const moderationData: PersonalData = {
  tables: { post_reports: 'reporter_id', claim_reports: 'reporter_id', moderation_log: 'actor_id' },
  async exportFor(db, userId) {
    const reports = await queryRows(db, reportRow)`
      select post_id, reason, text, created_at from post_reports where reporter_id = ${userId} order by created_at`;
    const claimReports = await queryRows(db, claimReportRow)`
      select claim_id, reason, text, created_at from claim_reports where reporter_id = ${userId} order by created_at`;
    const decisions = await queryRows(db, decisionRow)`
      select action, target_type, target_id, reason, created_at from moderation_log
      where actor_id = ${userId} order by created_at`;
    return { reports, claim_reports: claimReports, decisions };
  },
  eraseFor(db, userId) {
    const theirs = sql`(select id from posts where author_id = ${userId})`;
    return [
      db.run(sql`
        update moderation_log set target_id = null
        where target_id = ${userId} or (target_type = 'post' and target_id in ${theirs})`),
      db.run(sql`update moderation_log set actor_id = null where actor_id = ${userId}`),
      db.run(sql`
        delete from moderation_cases where post_id in ${theirs}
          or post_id in (select post_id from post_reports where author_id = ${userId})`),
      db.run(sql`delete from post_reports where author_id = ${userId}`),
      db.run(sql`update post_reports set reporter_id = null where reporter_id = ${userId}`),
      db.run(sql`update claim_reports set reporter_id = null where reporter_id = ${userId}`),
    ];
  },
};
