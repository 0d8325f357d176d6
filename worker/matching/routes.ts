import { Hono } from 'hono';
import { identifierLookupSchema } from '#contract/posts.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { confirmPair, dismissPair } from './answer-pair.ts';
import { countMatches } from './list-matches.ts';
import { lookUpIdentifier } from './look-up-identifier.ts';

/** Routes below `/api`. */
export const matchRoutes = new Hono<AppEnv>()
  // The route for one post's matches is in posts/routes.ts.
  .get('/matches/counts', requireViewer, async (c) => c.json(await countMatches(c.var.db, c.var.viewer)))
  .post('/matches/:pairId/confirm', requireViewer, async (c) => {
    await confirmPair(c, c.var.viewer, c.req.param('pairId'));
    return c.body(null, 204);
  })
  .post('/matches/:pairId/dismiss', requireViewer, async (c) => {
    await dismissPair(c, c.var.viewer, c.req.param('pairId'));
    return c.body(null, 204);
  })
  // Answers whether anybody has found the thing with this identifier.
  .post('/identifiers/lookup', requireViewer, requireJson, validate('json', identifierLookupSchema), async (c) => {
    const found = await lookUpIdentifier(c, c.var.viewer, c.req.valid('json').identifier);
    return c.json({ found });
  });
