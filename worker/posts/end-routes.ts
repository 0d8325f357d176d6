import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { type Outcome, outcomeInputSchema, type Post } from '#contract/posts.ts';
import { closeClaimsOf } from '#worker/claims/index.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { matchPost } from '#worker/matching/index.ts';
import { deliverNotices, rememberUnread, reviseUnreadNotices } from '#worker/notices/index.ts';
import { endPost, isReturning, undoFound, wakePost } from './end-store.ts';
import { assertAuthor, assertVisible, presentPost } from './post-rules.ts';
import { findPost } from './store.ts';

/** Ending and reopening a post. */
export const postEndRoutes = new Hono<AppEnv>()
  .patch('/:id/found', requireViewer, (c) => end(c, c.var.viewer, c.req.param('id'), 'returned'))
  .put('/:id/outcome', requireViewer, requireJson, validate('json', outcomeInputSchema), (c) =>
    end(c, c.var.viewer, c.req.param('id'), c.req.valid('json').outcome),
  )
  .delete('/:id/found', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const { id } = assertAuthor(await findPost(db, viewer, c.req.param('id')), viewer);
    const row = assertVisible(await undoFound(db, viewer, id, Date.now()), viewer);
    if (row.is_found === 1) throw new AppError('too_late');
    continueAfterAnswer(c, matchPost(c.env, db, id));
    return c.json(presentPost(row, c.var) satisfies Post);
  })
  .post('/:id/wake', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const { id } = assertAuthor(await findPost(db, viewer, c.req.param('id')), viewer);
    const revise = reviseUnreadNotices(db, sql`${id}`);
    const { row, noticeIds } = await wakePost(db, viewer, { id, revise }, Date.now());
    const woken = assertVisible(row, viewer);
    if (woken.is_found === 1 || woken.hidden_by !== 0) throw new AppError('wrong_state');
    continueAfterAnswer(
      c,
      deliverNotices(c.env, db, noticeIds).then(() => matchPost(c.env, db, id)),
    );
    return c.json(presentPost(woken, c.var) satisfies Post);
  });

async function end(c: AppContext, viewer: Viewer, postId: string, outcome: Outcome) {
  const { db } = c.var;
  const { id } = assertAuthor(await findPost(db, viewer, postId), viewer);
  const [posts, now] = [sql`${id}`, Date.now()];
  const { row, noticeIds } = await endPost(
    db,
    viewer,
    { id, outcome, now },
    {
      remember: rememberUnread(db, posts),
      withdraw: reviseUnreadNotices(db, posts),
      claims: closeClaimsOf(db, posts, now),
    },
  );
  const ended = assertVisible(row, viewer);
  if (ended.is_found === 1 && !isReturning(outcome)) throw new AppError('wrong_state');
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
  if (ended.is_found === 0) forgetPosts(c, [id]);
  return c.json(presentPost(ended, c.var) satisfies Post);
}
