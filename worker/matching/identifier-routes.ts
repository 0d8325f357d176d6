import { Hono } from 'hono';
import { identifierLookupSchema } from '#contract/posts.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { allowanceOf, assertRooms } from '#worker/limits/allowance.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { digestIdentifier } from '#worker/posts/index.ts';
import { lookUpIdentifier } from './identifier-store.ts';

/** Has anybody found the thing with this number? */
export const identifierRoutes = new Hono<AppEnv>().post(
  '/lookup',
  requireViewer,
  requireJson,
  validate('json', identifierLookupSchema),
  async (c) => {
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
  },
);
