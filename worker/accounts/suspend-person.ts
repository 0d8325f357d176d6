import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { AccountStandingMessage } from '#contract/live-messages.ts';
import { IS_DISPENSABLE } from '#worker/conditions/people.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { firstOf, flag, idRow, idsOf, queryFirst, queryRows, readAsPlatformAdmin } from '#worker/db/statements.ts';
import { users } from '#worker/db/tables/people.ts';
import { PURGED_AT_ONCE } from '#worker/http/edge-cache.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import type { DecisionEffects } from '#worker/moderation/cases.ts';
import { logAction } from '#worker/moderation/moderation-log.ts';
import { keepNotice } from '#worker/notices/keep-notice.ts';
import { hidePosts, restorePosts } from '#worker/posts/post-states.ts';

const standingRow = () => z.object({ is_suspended: flag() });

/** Reads a person. @throws AppError forbidden unless the viewer is a platform admin. */
export async function findPerson(db: Db, viewer: Viewer, id: string) {
  const { person } = await readAsPlatformAdmin(db, viewer, {
    person: firstOf(db.select({ id: users.id }).from(users).where(eq(users.id, id))),
  });
  return person;
}

/**
 * Suspends the person, hides the person's open posts and notifies the person, in one transaction. Idempotent.
 * @returns null if the platform would have no unsuspended admin left.
 */
export async function suspend(db: Db, viewer: Viewer, userId: string, reason: string): Promise<DecisionEffects | null> {
  const now = Date.now();
  // Every statement contains this condition, so that only one of two concurrent suspensions has an effect.
  const isDue = sql`exists (
    select 1 from users u where u.id = ${userId} and u.suspended_at is null and ${IS_DISPENSABLE})`;
  const message = toMessage('account_suspended', reason, now);
  const posts = sql`${postsOf(userId)} and s.is_found = 0 and ${isDue}`;
  const { toHide, hidden, standing } = await publishAsPlatformAdmin(db, viewer, {
    logAction: logAction(
      db,
      { actor: viewer, action: 'suspend', targetType: 'user', targetId: userId, reason },
      now,
      isDue,
    ),
    keepNotice: keepNotice(db, { message, recipientId: sql`${userId}`, condition: isDue }, now),
    toHide: queryRows(db, idRow)`${posts} and s.community_id is null order by s.seq desc limit ${PURGED_AT_ONCE}`,
    hidden: hidePosts(db, posts, ['suspension'], now),
    updateUsers: db.run(sql`
      update users set suspended_at = ${now}, suspension_reason = ${reason} where id = ${userId} and ${isDue}`),
    standing: queryFirst(db, standingRow)`
      select suspended_at is not null as is_suspended from users where id = ${userId}`,
  });
  if (standing?.is_suspended === 0) return null;
  return {
    noticeIds: [message.id, ...idsOf([...hidden.paused, ...hidden.withdrawn])],
    postsToMatch: [],
    hiddenPosts: idsOf(toHide),
  };
}

/** Reinstates the person, so that they can write again, and restores their posts unless something else hides them. */
export async function reinstate(
  db: Db,
  viewer: Viewer,
  userId: string,
  reason: string | null,
): Promise<DecisionEffects> {
  const now = Date.now();
  const isDue = sql`exists (select 1 from users w where w.id = ${userId} and w.suspended_at is not null)`;
  const message = toMessage('account_reinstated', reason, now);
  const { restored } = await publishAsPlatformAdmin(db, viewer, {
    logAction: logAction(
      db,
      { actor: viewer, action: 'reinstate', targetType: 'user', targetId: userId, reason },
      now,
      isDue,
    ),
    keepNotice: keepNotice(db, { message, recipientId: sql`${userId}`, condition: isDue }, now),
    restored: restorePosts(db, sql`${postsOf(userId)} and ${isDue}`, ['suspension'], now),
    updateUsers: db.update(users).set({ suspendedAt: null, suspensionReason: null }).where(eq(users.id, userId)),
  });
  return { noticeIds: [message.id], postsToMatch: idsOf(restored) };
}

function postsOf(userId: string): SQL {
  return sql`select s.id from posts s where s.author_id = ${userId}`;
}

function toMessage(type: AccountStandingMessage['type'], reason: string | null, now: number): AccountStandingMessage {
  return { type, id: newId(), reason, created_at: new Date(now).toISOString() };
}

/**
 * Statements: end a person's role as platform admin and the passkey confirmations of their sessions, if the condition
 * holds.
 */
export function endAdminRole(db: Db, userId: string, condition: SQL) {
  return {
    deleteStepUps: db.run(sql`delete from step_ups where user_id = ${userId} and ${condition}`),
    updateUsers: db.run(sql`
      update users set is_platform_admin = 0, platform_admin_since = null where id = ${userId} and ${condition}`),
  };
}
