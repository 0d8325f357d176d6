import { type SQL, sql } from 'drizzle-orm';
import { isMember } from '#worker/conditions/communities.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/statements.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { readUndelivered } from './read-notices.ts';

/**
 * Statement: marks unread notices about these posts as undelivered, because the posts were edited, marked as found or
 * hidden. Pass the returned ids to `deliverNotices`: it delivers the notices that are still true and retracts all
 * others.
 * @param posts a post's id, or a select of several.
 */
export function reviseUnreadNotices(db: Db, posts: SQL) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0 where ${isUnreadOf(posts)} returning id`;
}

/** Statements: `revised` is `reviseUnreadNotices`; `undelivered` reads the same notices for `deliverToMailboxes`. */
export function reviseAndRead(db: Db, posts: SQL) {
  const revised = sql`select id from notices where ${isUnreadOf(posts)}`;
  return { revised: reviseUnreadNotices(db, posts), undelivered: readUndelivered(db, revised) };
}

function isUnreadOf(posts: SQL): SQL {
  return sql`(post_id in (${posts}) or your_post_id in (${posts})) and read_at is null`;
}

/**
 * Statement: marks all notices about these posts as undelivered, even read ones, because the same batch deletes the
 * posts. `deliverNotices` then retracts the notices.
 * @param postIds selects the posts.
 */
export function withdrawNotices(db: Db, postIds: SQL) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0
    where post_id in (${postIds}) or your_post_id in (${postIds}) returning id`;
}

/**
 * Statement: marks two people's unread notices about each other's posts as undelivered, because one person has blocked
 * the other. `deliverNotices` then retracts the notices that are no longer true.
 */
export function withdrawBetween(db: Db, one: SQL, other: SQL) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0
    where read_at is null and recipient_id in (${one}, ${other}) and exists (
      select 1 from posts p
      where p.id = notices.post_id and p.author_id in (${one}, ${other}) and p.author_id <> notices.recipient_id)
    returning id`;
}

/**
 * Statement: marks a person's unread notices about a community's posts as undelivered, if the person is no longer a
 * member. `deliverNotices` then retracts the notices about posts that the person may no longer see.
 */
export function withdrawInside(db: Db, userId: string, communityId: string) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0
    where recipient_id = ${userId} and read_at is null
      and exists (select 1 from posts p where p.id = notices.post_id and p.community_id = ${communityId})
      and not ${isMember(communityId, userId)}
    returning id`;
}

/**
 * Statement for a viewer who dismisses a pair of posts: marks the viewer's notices about the pair as read, dismissed
 * and undelivered. `deliverNotices` then retracts the notices.
 */
export function withdrawPair(db: Db, viewer: Viewer, pairId: string, now: number) {
  return queryRows(db, idRow)`
    update notices set read_at = coalesce(read_at, ${now}), dismissed_at = coalesce(dismissed_at, ${now}),
      delivered_at = null, delivery_due_at = 0
    where pair_id = ${pairId} and recipient_id = ${viewer.userId} returning id`;
}

/**
 * Statement: marks both authors' notices about a pair of posts as undelivered, unless the pair is already dismissed.
 * Also marks the viewer's notices as read and dismissed. `deliverNotices` then retracts the notices.
 */
export function withdrawFromBoth(db: Db, viewer: Viewer, pairId: SQL, now: number) {
  return queryRows(db, idRow)`
    update notices set delivered_at = null, delivery_due_at = 0,
      read_at = iif(recipient_id = ${viewer.userId}, coalesce(read_at, ${now}), read_at),
      dismissed_at = iif(recipient_id = ${viewer.userId}, coalesce(dismissed_at, ${now}), dismissed_at)
    where pair_id = ${pairId}
      and exists (select 1 from match_pairs m where m.id = notices.pair_id and m.dismissed_at is null)
    returning id`;
}

/**
 * Expression on `match_pairs`: the new value of `withdrawn_from_post_id`. If the pair's notice is unread, the value is
 * the recipient's own post, otherwise the column's current value. Evaluate the expression before the notice is
 * withdrawn.
 */
export const WITHDRAWN_FROM = sql`coalesce((
  select n.your_post_id from notices n where n.id = match_pairs.notice_id and n.read_at is null), withdrawn_from_post_id)`;

/**
 * Statement: records the recipients of unread notices about these posts, before the notices are withdrawn. If the posts
 * match again, `storePairs` creates the notices again, within the limit of notices from one author to one person.
 */
export function rememberUnread(db: Db, posts: SQL) {
  return db.run(sql`
    update match_pairs set withdrawn_from_post_id = ${WITHDRAWN_FROM}
    where id in (
      select pair_id from notices
      where (post_id in (${posts}) or your_post_id in (${posts})) and read_at is null and confidence = 'sure')`);
}
