import { Hono } from 'hono';
import type { Block } from '#contract/blocks.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { deleteBlock, findAuthor, findOther, insertBlock, listBlocks } from './store.ts';

/** Below a post, as the person to block is known only by what they posted. */
export const postBlockRoutes = new Hono<AppEnv>().post('/:id/block-author', requireViewer, async (c) => {
  const { db, viewer } = c.var;
  const author = await findAuthor(db, viewer, c.req.param('id'));
  if (author?.id === viewer.userId) throw new AppError('own_post');
  // The post of a blocked author is no longer visible; repeating the request still succeeds.
  if (!author || (author.is_seen === 0 && author.is_blocked === 0)) throw new AppError('post_not_found');
  continueAfterAnswer(c, deliverNotices(c.env, db, await insertBlock(db, viewer, author, Date.now())));
  return c.body(null, 204);
});

/** Below a claim, whose two people know each other only by name. */
export const claimBlockRoutes = new Hono<AppEnv>().post('/:id/block', requireViewer, async (c) => {
  const { db, viewer } = c.var;
  const other = await findOther(db, viewer, c.req.param('id'));
  if (!other) throw new AppError('claim_not_found');
  continueAfterAnswer(c, deliverNotices(c.env, db, await insertBlock(db, viewer, other, Date.now())));
  return c.body(null, 204);
});

export const blockRoutes = new Hono<AppEnv>()
  .get('/', requireViewer, async (c) => {
    const rows = await listBlocks(c.var.db, c.var.viewer);
    return c.json(rows.map((row): Block => ({ ...row, created_at: new Date(row.created_at).toISOString() })));
  })
  .delete('/:id', requireViewer, async (c) => {
    if (!(await deleteBlock(c.var.db, c.var.viewer, c.req.param('id')))) throw new AppError('not_found');
    return c.body(null, 204);
  });
