import { Hono } from 'hono';
import { identifierLookupSchema } from '#contract/posts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { type AppEnv, clientAddress, continueAfterAnswer } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { allowanceOf, allowancesOf, assertRooms } from '#worker/limits/allowance.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { digestIdentifier } from '#worker/posts/identifiers.ts';
import { confirmPair, dismissPair } from './answer-pair.ts';
import { lookUpIdentifier } from './find-candidates.ts';
import { countMatches } from './list-matches.ts';

/** Below `/api`. */
export const matchRoutes = new Hono<AppEnv>()
  // One post's matches are read under the post itself (posts/routes.ts).
  .get('/matches/counts', requireViewer, async (c) => c.json(await countMatches(c.var.db, c.var.viewer)))
  .post('/matches/:pairId/confirm', requireViewer, async (c) => {
    const { pair, noticeIds } = await confirmPair(c.var.db, c.var.viewer, c.req.param('pairId'), Date.now());
    if (!pair) throw new AppError('not_found');
    if (pair.is_open === 0) throw new AppError('wrong_state');
    continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
    return c.body(null, 204);
  })
  .post('/matches/:pairId/dismiss', requireViewer, async (c) => {
    const { isOwn, noticeIds } = await dismissPair(c.var.db, c.var.viewer, c.req.param('pairId'), Date.now());
    if (!isOwn) throw new AppError('not_found');
    continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
    return c.body(null, 204);
  })
  // Has anybody found the thing with this number?
  .post('/identifiers/lookup', requireViewer, requireJson, validate('json', identifierLookupSchema), async (c) => {
    const { config, db, viewer } = c.var;
    const now = Date.now();
    const allowances = [
      allowanceOf(config, 'identifier_lookup', viewer.userId),
      ...allowancesOf(config, 'identifier_lookup_address', clientAddress(c)),
    ];
    const digest = digestIdentifier(config, c.req.valid('json').identifier);
    const { isProven, isCounted, isFound, counted } = await lookUpIdentifier(db, viewer, { digest, allowances, now });
    if (!isProven) throw new AppError('number_not_proven', { status: 403 });
    if (!isCounted) assertRooms(allowances, counted, now);
    log.info('identifier_looked_up', { user_id: viewer.userId, is_found: isFound });
    return c.json({ found: isFound });
  });
