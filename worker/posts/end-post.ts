import { sql } from 'drizzle-orm';
import { FOUND_UNDO_SECONDS } from '#contract/limits.ts';
import { type Outcome, RETURNING_OUTCOMES } from '#contract/posts.ts';
import { isHandedOver } from '#worker/conditions/claims.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { idsOf } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { matchPost } from '#worker/matching/match-post.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { reviseUnreadNotices } from '#worker/notices/withdraw-notices.ts';
import { assertAuthor, assertVisible, findPost, selectPost } from './find-post.ts';
import type { PostRow } from './post-columns.ts';
import { closePosts, deletePosts, returnPosts } from './post-states.ts';

/**
 * Ends the viewer's post with the given outcome.
 * @throws AppError post_not_found, forbidden; wrong_state if the outcome would close a returned post.
 */
export async function endPost(c: AppContext, viewer: Viewer, postId: string, outcome: Outcome): Promise<PostRow> {
  const { db } = c.var;
  const { id } = assertAuthor(await findPost(db, viewer, postId), viewer);
  const { row, noticeIds } = await writeEnd(db, viewer, { id, outcome, now: Date.now() });
  const ended = assertVisible(row, viewer);
  if (ended.is_found === 1 && !isReturning(outcome)) throw new AppError('wrong_state');
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
  if (ended.is_found === 0) forgetPosts(c, [id]);
  return ended;
}

/**
 * Reopens the viewer's post if it was marked as found a short while ago.
 * @throws AppError post_not_found, forbidden, or too_late.
 */
export async function undoFound(c: AppContext, viewer: Viewer, postId: string): Promise<PostRow> {
  const { db } = c.var;
  const { id } = assertAuthor(await findPost(db, viewer, postId), viewer);
  const row = assertVisible(await writeUndo(db, viewer, id, Date.now()), viewer);
  if (row.is_found === 1) throw new AppError('too_late');
  continueAfterAnswer(c, matchPost(c.env, db, id));
  return row;
}

/**
 * Restarts the time after which the viewer's post rests. A resting or closed post becomes open again.
 * @throws AppError post_not_found, forbidden; wrong_state for a returned or hidden post.
 */
export async function wakePost(c: AppContext, viewer: Viewer, postId: string): Promise<PostRow> {
  const { db } = c.var;
  const { id } = assertAuthor(await findPost(db, viewer, postId), viewer);
  const { row, noticeIds } = await writeWaking(db, viewer, id, Date.now());
  const woken = assertVisible(row, viewer);
  if (woken.is_found === 1 || woken.hidden_by !== 0) throw new AppError('wrong_state');
  continueAfterAnswer(
    c,
    deliverNotices(c.env, db, noticeIds).then(() => matchPost(c.env, db, id)),
  );
  return woken;
}

/**
 * Deletes the viewer's post with all that depends on it, except its claims, which are closed.
 * @throws AppError post_not_found, forbidden.
 */
export async function deletePost(c: AppContext, viewer: Viewer, postId: string): Promise<void> {
  const { db } = c.var;
  const { id } = assertAuthor(await findPost(db, viewer, postId), viewer);
  const { deleted } = await publishAs(db.repeatable, viewer, {
    deleted: deletePosts(db, selectOwn(viewer, id), Date.now()),
  });
  continueAfterAnswer(c, deliverNotices(c.env, db, idsOf([...deleted.withdrawn, ...deleted.claims.undelivered])));
  forgetPosts(c, [id]);
}

/** A post of the viewer, and the outcome with which the viewer ends it. */
type Ending = { id: string; outcome: Outcome; now: number };

/**
 * Ends the post. If the post is already returned, the time of its first return stays. The author can open a closed post
 * again (`wakePost`).
 * @returns the post, and the ids of the notices to deliver or withdraw.
 */
export async function writeEnd(db: Db, viewer: Viewer, { id, outcome, now }: Ending) {
  const end = isReturning(outcome) ? returnPosts : closePosts;
  const { ended, row } = await publishAs(db.repeatable, viewer, {
    ended: end(db, selectOwn(viewer, id), now, outcome),
    row: selectPost(db, viewer, id),
  });
  return { row, noticeIds: idsOf([...ended.withdrawn, ...ended.claims.undelivered]) };
}

/** Selects, for `in (…)`, the post if it belongs to the viewer. */
function selectOwn(viewer: Viewer, id: string) {
  return sql`select o.id from posts o where o.id = ${id} and o.author_id = ${viewer.userId}`;
}

function isReturning(outcome: Outcome): boolean {
  return (RETURNING_OUTCOMES as readonly Outcome[]).includes(outcome);
}

/**
 * Opens the post again and marks it for matching. If unread notices about the post were withdrawn, matching creates
 * them again.
 * @returns the post. The post is still marked as found if the time to undo has passed or the item was handed over.
 */
export async function writeUndo(db: Db, viewer: Viewer, id: string, now: number) {
  const { row } = await publishAs(db, viewer, {
    updatePosts: db.run(sql`
      update posts set is_found = 0, found_at = null, outcome = null,
        match_pending_since = iif(hidden_by, null, ${now})
      where id = ${id} and author_id = ${viewer.userId} and is_found = 1
        and found_at >= ${now - FOUND_UNDO_SECONDS * 1000} and not ${isHandedOver(sql.raw('posts.id'))}`),
    row: selectPost(db, viewer, id),
  });
  return row;
}

/**
 * Restarts the time after which the post rests. A resting or closed post becomes open again and is marked for matching.
 * Withdraws the unread notice that asks the author whether they are still looking.
 * @returns the post, unchanged if it is returned or hidden, and the ids of the notices to deliver or withdraw.
 */
async function writeWaking(db: Db, viewer: Viewer, id: string, now: number) {
  const { row, revised } = await publishAs(db, viewer, {
    updatePosts: db.run(sql`
      update posts set away_since = null, outcome = null, renewed_at = ${now}, times_asked = 0,
        match_pending_since = iif(away_since is null, match_pending_since, ${now})
      where id = ${id} and author_id = ${viewer.userId} and is_found = 0 and hidden_by = 0`),
    row: selectPost(db, viewer, id),
    revised: reviseUnreadNotices(db, sql`${id}`),
  });
  return { row, noticeIds: idsOf(revised) };
}
