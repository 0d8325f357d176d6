import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { AccountStandingMessage } from '#contract/live-messages.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { flag, idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { PURGED_AT_ONCE } from '#worker/http/edge-cache.ts';
import { newId } from '#worker/identity/ids.ts';
import { IS_DISPENSABLE } from '#worker/identity/platform-admin.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { keepNotice } from '#worker/notices/index.ts';
import type { Aftermath } from './decide-store.ts';
import { hidePosts, restorePosts } from './hide-posts.ts';
import { logAction } from './log-store.ts';

const standingRow = () => z.object({ is_suspended: flag() });

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function findPerson(db: Db, viewer: Viewer, id: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [queryRows(db, idRow)`select id from users where id = ${id}`]);
  return row;
}

/**
 * Stops the person from writing, hides their open posts and notifies them, in one transaction. It is idempotent.
 * @returns null when the platform would be left without an admin who is not suspended.
 */
export async function suspend(db: Db, viewer: Viewer, userId: string, reason: string): Promise<Aftermath | null> {
  const now = Date.now();
  // Part of every statement, so that of two concurrent suspensions only one has any effect.
  const isDue = sql`exists (
    select 1 from users u where u.id = ${userId} and u.suspended_at is null and ${IS_DISPENSABLE})`;
  const message = toMessage('account_suspended', reason, now);
  const posts = sql`${postsOf(userId)} and s.is_found = 0 and ${isDue}`;
  const [, , hidden, paused, , withdrawn, , , , , [standing]] = await publishAsPlatformAdmin(db, viewer, [
    logAction(db, { actor: viewer, action: 'suspend', targetType: 'user', targetId: userId, reason }, now, isDue),
    keepNotice(db, { message, recipientId: sql`${userId}`, condition: isDue }, now),
    queryRows(db, idRow)`${posts} and s.community_id is null order by s.seq desc limit ${PURGED_AT_ONCE}`,
    ...hidePosts(db, posts, ['suspension'], now),
    db.run(sql`
      update users set suspended_at = ${now}, suspension_reason = ${reason} where id = ${userId} and ${isDue}`),
    queryRows(db, standingRow)`select suspended_at is not null as is_suspended from users where id = ${userId}`,
  ]);
  if (standing?.is_suspended === 0) return null;
  return { noticeIds: [message.id, ...idsOf([...paused, ...withdrawn])], postsToMatch: [], hiddenPosts: idsOf(hidden) };
}

/** Lets the person write again, and restores their posts unless something else hides them. */
export async function reinstate(db: Db, viewer: Viewer, userId: string, reason: string | null): Promise<Aftermath> {
  const now = Date.now();
  const isDue = sql`exists (select 1 from users w where w.id = ${userId} and w.suspended_at is not null)`;
  const message = toMessage('account_reinstated', reason, now);
  const [, , restored] = await publishAsPlatformAdmin(db, viewer, [
    logAction(db, { actor: viewer, action: 'reinstate', targetType: 'user', targetId: userId, reason }, now, isDue),
    keepNotice(db, { message, recipientId: sql`${userId}`, condition: isDue }, now),
    restorePosts(db, sql`${postsOf(userId)} and ${isDue}`, ['suspension'], now),
    db.run(sql`update users set suspended_at = null, suspension_reason = null where id = ${userId}`),
  ]);
  return { noticeIds: [message.id], postsToMatch: idsOf(restored) };
}

function postsOf(userId: string): SQL {
  return sql`select s.id from posts s where s.author_id = ${userId}`;
}

function toMessage(type: AccountStandingMessage['type'], reason: string | null, now: number): AccountStandingMessage {
  return { type, id: newId(), reason, created_at: new Date(now).toISOString() };
}
