import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { moderationReasonSchema } from '#contract/moderation.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv, SignedInEnv } from '#worker/http/app-env.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { carryOut } from './carry-out.ts';
import { findCommunityStanding, reinstateCommunity, suspendCommunity } from './community-suspension-store.ts';
import { readReason } from './read-reason.ts';
import { findPerson, reinstate, suspend } from './suspension-store.ts';

/** Runs before the body is parsed, so that others than admins get a 403 whatever they send. */
const withPerson = createMiddleware<SignedInEnv, '/:id'>(async (c, next) => {
  if (!(await findPerson(c.var.db, c.var.viewer, c.req.param('id')))) throw new AppError('not_found');
  await next();
});

/** The same, for a community. */
const withApprovedCommunity = createMiddleware<SignedInEnv, '/:id'>(async (c, next) => {
  const community = await findCommunityStanding(c.var.db, c.var.viewer, c.req.param('id'));
  if (!community) throw new AppError('community_not_found');
  if (community.is_approved === 0) throw new AppError('wrong_state');
  await next();
});

/** Below `/api/admin`. */
export const suspensionRoutes = new Hono<AppEnv>()
  .post(
    '/users/:id/suspend',
    requireViewer,
    withPerson,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      const done = await suspend(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('json').reason);
      if (!done) throw new AppError('last_admin');
      carryOut(c, done);
      return c.body(null, 204);
    },
  )
  .post('/users/:id/reinstate', requireViewer, withPerson, async (c) => {
    carryOut(c, await reinstate(c.var.db, c.var.viewer, c.req.param('id'), await readReason(c)));
    return c.body(null, 204);
  })
  .post(
    '/communities/:id/suspend',
    requireViewer,
    withApprovedCommunity,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      carryOut(c, await suspendCommunity(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('json').reason));
      return c.body(null, 204);
    },
  )
  .post('/communities/:id/reinstate', requireViewer, withApprovedCommunity, async (c) => {
    carryOut(c, await reinstateCommunity(c.var.db, c.var.viewer, c.req.param('id'), await readReason(c)));
    return c.body(null, 204);
  });
