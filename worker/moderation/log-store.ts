import { type SQL, sql } from 'drizzle-orm';
import type { LoggedAction, LoggedTarget, LogQuery } from '#contract/moderation.ts';
import type { Db } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { queryRows } from '#worker/db/rows.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logRow } from './moderation-rules.ts';

type LogEvent = {
  /** Null when enough reports have hidden a post. */
  actor: Viewer | null;
  action: LoggedAction;
  targetType: LoggedTarget;
  targetId: string;
  /** A value or an expression. */
  reason: SQL | string | null;
};

/** Statement: logs an action of the same batch, if the condition holds. */
export function logAction(db: Db, event: LogEvent, now: number, condition: SQL = sql`true`) {
  return db.run(sql`
    insert into moderation_log (id, actor_id, action, target_type, target_id, reason, created_at)
    select ${newId()}, ${event.actor?.userId ?? null}, ${event.action}, ${event.targetType}, ${event.targetId},
      ${event.reason}, ${now}
    where ${condition}`);
}

/** A page of the log, newest first. */
export async function listLog(db: Db, viewer: Viewer, { cursor, limit }: LogQuery) {
  const before = parseTimeCursor(cursor);
  const [rows] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, logRow)`
      select id, actor_id, action, target_type, target_id, reason, created_at from moderation_log
      ${before ? sql`where (created_at, id) < (${before.time}, ${before.id})` : sql``}
      order by created_at desc, id desc limit ${limit + 1}`,
  ]);
  return toTimePage(rows, limit, (row) => ({ time: row.created_at, id: row.id }));
}
