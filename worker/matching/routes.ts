import { Hono } from 'hono';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { confirmPair, dismissPair } from './answer-store.ts';
import { countMatches } from './find-matches.ts';

/** One post's matches are read under the post itself (posts/routes.ts). */
export const matchRoutes = new Hono<AppEnv>()
  .get('/counts', requireViewer, async (c) => c.json(await countMatches(c.var.db, c.var.viewer)))
  .post('/:pairId/confirm', requireViewer, async (c) => {
    const { pair, noticeIds } = await confirmPair(c.var.db, c.var.viewer, c.req.param('pairId'), Date.now());
    if (!pair) throw new AppError('not_found');
    if (pair.is_open === 0) throw new AppError('wrong_state');
    continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
    return c.body(null, 204);
  })
  .post('/:pairId/dismiss', requireViewer, async (c) => {
    const { isOwn, noticeIds } = await dismissPair(c.var.db, c.var.viewer, c.req.param('pairId'), Date.now());
    if (!isOwn) throw new AppError('not_found');
    continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
    return c.body(null, 204);
  });
