import { sql } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { ERASURE_WAITS_DAYS } from '#contract/limits.ts';
import { endDevices } from '#worker/accounts/devices.ts';
import { closeClaimsOf, closeSilently } from '#worker/claims/close-claims.ts';
import { leaveCommunities } from '#worker/communities/change-members.ts';
import { IS_DISPENSABLE } from '#worker/conditions/people.ts';
import { type Db, writeAs } from '#worker/db/client.ts';
import { idsOf, queryFirst } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log, logUnexpected } from '#worker/errors/log.ts';
import type { AppContext } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { isUnderReport } from '#worker/moderation/report-post.ts';
import { deliverNotices, listUndelivered } from '#worker/notices/deliver-notices.ts';
import { notifyAdminsOfDeparture } from '#worker/notices/keep-notice.ts';
import { hidePosts } from '#worker/posts/post-states.ts';
import { endSubscriptionsOfUser } from '#worker/push/subscriptions.ts';
import { erase, erasureRow } from './erase-account.ts';

/**
 * Closes and erases the account. Succeeds once the account is closed: if the erasure fails, the scheduled sweep
 * finishes it.
 * @throws AppError last_admin.
 */
export async function leave(c: AppContext, viewer: Viewer): Promise<void> {
  const { env } = c;
  const { db } = c.var;
  const now = Date.now();
  const closed = await closeAccount(db, viewer, now);
  if (!closed) throw new AppError('last_admin');
  log.info('account_closed', { is_waiting: closed.erasure.erase_at > now });
  try {
    await deliverNotices(env, db, closed.noticeIds);
    await erase(env, db, closed.erasure, now);
  } catch (error) {
    logUnexpected(error, c.req);
  }
}

/** If the request that closes an account has not finished within a minute, the scheduled sweep takes over. */
const GRACE_MS = MINUTE_MS;
const WAIT_MS = ERASURE_WAITS_DAYS * DAY_MS;

/**
 * Closes the viewer's account in one transaction: revokes their tokens, hides their posts, ends their memberships of
 * communities, and records that the account must be erased. A crash after the transaction loses nothing.
 * @returns the notices to deliver, or null if the platform would have no unsuspended admin left.
 */
async function closeAccount(db: Db, viewer: Viewer, now: number) {
  const { userId } = viewer;
  const isClosing = sql`exists (select 1 from erasures e where e.user_id = ${userId})`;
  const posts = sql`select s.id from posts s where s.author_id = ${userId} and ${isClosing}`;
  const { erasure, notified, hidden } = await writeAs(db, viewer, {
    insertErasure: db.run(sql`
      insert into erasures (user_id, erase_at, due_at)
      select u.id, iif(u.suspended_at is not null or ${isUnderReport(sql`u.id`)}, ${now + WAIT_MS}, ${now}), ${now + GRACE_MS}
      from users u where u.id = ${userId} and ${IS_DISPENSABLE}`),
    erasure: queryFirst(db, erasureRow)`select user_id, erase_at from erasures where user_id = ${userId}`,
    notified: notifyAdminsOfDeparture(db, userId, isClosing, now),
    hidden: hidePosts(db, posts, ['closed_account'], now),
    claimsOnPosts: closeClaimsOf(db, posts, now),
    ownClaims: closeSilently(db, sql`k.claimant_id = ${userId} and ${isClosing}`, now),
    communities: leaveCommunities(db, userId, isClosing, now),
    endDevices: endDevices(db, sql`user_id = ${userId} and ${isClosing}`, now),
    endSubscriptions: endSubscriptionsOfUser(db, sql`(select e.user_id from erasures e where e.user_id = ${userId})`),
    updateUsers: db.run(sql`
      update users set token_version = token_version + 1, closed_at = ${now}, is_platform_admin = 0,
        platform_admin_since = null
      where id = ${userId} and ${isClosing}`),
  });
  if (!erasure) return null;
  const ofClaims = await listUndelivered(db, sql`select k.id from claims k where k.finder_id = ${userId}`);
  return { erasure, noticeIds: idsOf([...notified, ...hidden.withdrawn, ...ofClaims]) };
}
