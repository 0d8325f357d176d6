import { type SQL, sql } from 'drizzle-orm';
import { HIDDEN_BY, type HiddenBy } from '#contract/posts.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { idsOf, queryRows } from '#worker/db/rows.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { keepNotice } from '#worker/notices/index.ts';
import { bitsOf } from '#worker/posts/index.ts';
import { closeCase, isWaiting } from './case-store.ts';
import { hidePosts, restorePosts } from './hide-posts.ts';
import { logAction } from './log-store.ts';
import { type JudgedPost, judgedPostRow, toStandingMessage } from './moderation-rules.ts';

/** What has to be done after a decision is stored. */
export type Aftermath = { noticeIds: string[]; postsToMatch: string[]; hiddenPosts?: string[] };

/** Statement: the post to decide on. */
export function selectJudged(db: Db, postId: string) {
  return queryRows(db, judgedPostRow)`
    select p.id, p.title, p.hidden_by, u.suspended_at is not null as is_author_suspended,
      k.decision, k.since, k.waiting_since_before, k.hidden_by_before, k.hidden_reason_before
    from posts p join users u on u.id = p.author_id left join moderation_cases k on k.post_id = p.id
    where p.id = ${postId}`;
}

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function findJudged(db: Db, viewer: Viewer, postId: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [selectJudged(db, postId)]);
  return row;
}

/** Expression: the author of the post. */
export function authorOf(postId: string): SQL {
  return sql`(select w.author_id from posts w where w.id = ${postId})`;
}

/** Condition: the post is hidden by any of these. */
export function isHiddenBy(postId: string, by: readonly HiddenBy[]): SQL {
  return sql`exists (select 1 from posts w where w.id = ${postId} and (w.hidden_by & ${bitsOf(by)}) <> 0)`;
}

/** Hides the post on behalf of the platform's admins. If two do so at once, the author gets only one notice. */
export async function hideForAdmins(db: Db, viewer: Viewer, post: JudgedPost, reason: string): Promise<Aftermath> {
  const now = Date.now();
  const message = toStandingMessage(post, { by: 'admin', reason }, { id: newId(), now });
  const isDue = sql`(not ${isHiddenBy(post.id, ['admin'])} or ${isWaiting(post.id)})`;
  const [, , , , , paused, , withdrawn] = await publishAsPlatformAdmin(db, viewer, [
    keepNotice(db, { message, recipientId: authorOf(post.id), condition: isDue }, now),
    logAction(db, { actor: viewer, action: 'hide', targetType: 'post', targetId: post.id, reason }, now, isDue),
    ...closeCase(db, { postId: post.id, decision: 'hidden', condition: isDue }, now),
    ...hidePosts(db, sql`${post.id}`, ['admin'], now, sql`${reason}`),
  ]);
  return { noticeIds: [message.id, ...idsOf([...paused, ...withdrawn])], postsToMatch: [], hiddenPosts: [post.id] };
}

/** What an admin's restoration of one post undoes: all but the suspension of its whole community. */
const LIFTED = HIDDEN_BY.filter((by) => by !== 'community_suspension');

/** Restores the post, whatever hid it. From then on reports cannot hide it. */
export async function restoreForAll(
  db: Db,
  viewer: Viewer,
  post: JudgedPost,
  reason: string | null,
): Promise<Aftermath> {
  const now = Date.now();
  const message = toStandingMessage(post, null, { id: newId(), now });
  const wasHidden = isHiddenBy(post.id, LIFTED);
  const isShown = sql`(${wasHidden} and not ${isHiddenBy(post.id, ['community_suspension'])})`;
  const isDue = sql`(${wasHidden} or not exists (
    select 1 from moderation_cases w where w.post_id = ${post.id} and w.status = 'decided' and w.is_cleared))`;
  const [, , , , , restored] = await publishAsPlatformAdmin(db, viewer, [
    keepNotice(db, { message, recipientId: authorOf(post.id), condition: isShown }, now),
    logAction(db, { actor: viewer, action: 'restore', targetType: 'post', targetId: post.id, reason }, now, isDue),
    ...closeCase(db, { postId: post.id, decision: 'restored', condition: isDue }, now),
    restorePosts(db, sql`${post.id}`, LIFTED, now),
  ]);
  return { noticeIds: [message.id], postsToMatch: idsOf(restored) };
}
