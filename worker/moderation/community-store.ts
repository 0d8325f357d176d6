import { sql } from 'drizzle-orm';
import { assertMay, selectCommunityWhere } from '#worker/communities/index.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { keepNotice } from '#worker/notices/index.ts';
import { type Aftermath, authorOf, isHiddenBy, selectJudged } from './decide-store.ts';
import { hidePosts, restorePosts } from './hide-posts.ts';
import { logAction } from './log-store.ts';
import { type JudgedPost, toStandingMessage } from './moderation-rules.ts';

/**
 * A post of the community, for its admins to decide on.
 * @throws AppError community_not_found for a stranger, forbidden for a member who is not an admin, post_not_found for a
 * post that is not in the community.
 */
export async function findInCommunity(
  db: Db,
  viewer: Viewer,
  place: { communityId: string; postId: string },
): Promise<JudgedPost> {
  const [[community], [inside], [post]] = await readAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${place.communityId}`),
    queryRows(db, idRow)`select id from posts where id = ${place.postId} and community_id = ${place.communityId}`,
    selectJudged(db, place.postId),
  ]);
  assertMay('judge_post', community);
  if (!inside || !post) throw new AppError('post_not_found');
  return post;
}

/** Hides the post on behalf of its community's admins. */
export async function hideForCommunity(db: Db, viewer: Viewer, post: JudgedPost, reason: string): Promise<Aftermath> {
  const now = Date.now();
  const message = toStandingMessage(post, { by: 'community', reason }, { id: newId(), now });
  const isDue = sql`not ${isHiddenBy(post.id, ['community'])}`;
  const [, , paused, , withdrawn] = await publishAs(db, viewer, [
    keepNotice(db, { message, recipientId: authorOf(post.id), condition: isDue }, now),
    logAction(db, { actor: viewer, action: 'hide', targetType: 'post', targetId: post.id, reason }, now, isDue),
    ...hidePosts(db, sql`${post.id}`, ['community'], now, sql`${reason}`),
  ]);
  return { noticeIds: [message.id, ...idsOf([...paused, ...withdrawn])], postsToMatch: [] };
}

/** Undoes only the hiding by the community's admins. */
export async function restoreForCommunity(
  db: Db,
  viewer: Viewer,
  post: JudgedPost,
  reason: string | null,
): Promise<Aftermath> {
  const now = Date.now();
  const message = toStandingMessage(post, null, { id: newId(), now });
  const isDue = isHiddenBy(post.id, ['community']);
  const isShown = sql`${isDue} and not ${isHiddenBy(post.id, ['reports', 'admin', 'suspension', 'community_suspension'])}`;
  const [, , restored] = await publishAs(db, viewer, [
    keepNotice(db, { message, recipientId: authorOf(post.id), condition: isShown }, now),
    logAction(db, { actor: viewer, action: 'restore', targetType: 'post', targetId: post.id, reason }, now, isDue),
    restorePosts(db, sql`${post.id}`, ['community'], now),
  ]);
  return { noticeIds: [message.id], postsToMatch: idsOf(restored) };
}
