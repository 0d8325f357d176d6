import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import {
  type LogEntry,
  type LoggedAction,
  type LoggedTarget,
  type LogQuery,
  logEntrySchema,
} from '#contract/moderation.ts';
import type { Db } from '#worker/db/client.ts';
import { parseTimeCursor, queryRows, type RowOf, readAsPlatformAdmin, toTimePage } from '#worker/db/statements.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

type LogEvent = {
  /** Null if no person acted: reports have hidden a post, or the image service's daily limit switched photos off. */
  actor: Viewer | null;
  action: LoggedAction;
  targetType: LoggedTarget;
  targetId: string;
  reason: SQL | string | null;
};

/** Statement: logs an action, if the condition holds. Must be in the same batch as the action. */
export function logAction(db: Db, event: LogEvent, now: number, condition: SQL = sql`true`) {
  return db.run(sql`
    insert into moderation_log (id, actor_id, action, target_type, target_id, reason, created_at)
    select ${newId()}, ${event.actor?.userId ?? null}, ${event.action}, ${event.targetType}, ${event.targetId},
      ${event.reason}, ${now}
    where ${condition}`);
}

/**
 * Statement: selects log entries, as `l`, with the current names of their targets.
 * @param rest the conditions, order and limit.
 */
export function selectLog(db: Db, rest: SQL) {
  return queryRows(db, logRow)`
    select l.id, l.actor_id, (select username from users where id = l.actor_id) as actor_name, l.action, l.target_type,
      l.target_id, case l.target_type
        when 'post' then (select title from posts where id = l.target_id)
        when 'user' then (select username from users where id = l.target_id)
        when 'community' then (select name from communities where id = l.target_id)
        when 'feedback' then (select email from feedback where id = l.target_id) end as target_name,
      l.reason, l.created_at
    from moderation_log l ${rest}`;
}

/** Reads a page of the log, newest first. */
export async function listLog(db: Db, viewer: Viewer, { action, target_type, actor_id, cursor, limit }: LogQuery) {
  const before = parseTimeCursor(cursor);
  const filters = sql.join([
    ...(action === undefined ? [] : [sql` and l.action = ${action}`]),
    ...(target_type === undefined ? [] : [sql` and l.target_type = ${target_type}`]),
    ...(actor_id === undefined ? [] : [sql` and l.actor_id = ${actor_id}`]),
    ...(before ? [sql` and (l.created_at, l.id) < (${before.time}, ${before.id})`] : []),
  ]);
  const { actions } = await readAsPlatformAdmin(db, viewer, {
    actions: selectLog(db, sql`where true ${filters} order by l.created_at desc, l.id desc limit ${limit + 1}`),
  });
  return toTimePage(actions, limit, (row) => ({ time: row.created_at, id: row.id }));
}

export const logRow = () => z.object({ ...logEntrySchema.shape, created_at: z.number() });

export function presentLogEntry(row: RowOf<typeof logRow>): LogEntry {
  return { ...row, created_at: new Date(row.created_at).toISOString() };
}
