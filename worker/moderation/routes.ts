import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import {
  logQuerySchema,
  moderationReasonSchema,
  reportedPostQuerySchema,
  reportInputSchema,
  restorationSchema,
} from '#contract/moderation.ts';
import { findPerson, reinstate, suspend } from '#worker/accounts/suspend-person.ts';
import { findCommunityStanding, reinstateCommunity, suspendCommunity } from '#worker/communities/suspend-community.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, type AppEnv, linkNextPage, type SignedInEnv } from '#worker/http/context.ts';
import { requireJson, toValidationError, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import {
  continueDecision,
  findInCommunity,
  findJudged,
  hideForAdmins,
  hideForCommunity,
  type JudgedPost,
  restoreForAll,
  restoreForCommunity,
  undoDecision,
} from './decide-on-post.ts';
import { listCases, presentCase } from './list-cases.ts';
import { listLog, presentLogEntry } from './moderation-log.ts';
import { reportClaim } from './report-claim.ts';
import { reportPost } from './report-post.ts';

type JudgingEnv = {
  Bindings: SignedInEnv['Bindings'];
  Variables: SignedInEnv['Variables'] & { post: JudgedPost };
};

/**
 * Finds the post, or responds with 403 to people who are not platform admins. Runs before the body is parsed, so that
 * they get the 403 even for an invalid body.
 */
const withPost = createMiddleware<JudgingEnv, '/:id'>(async (c, next) => {
  const post = await findJudged(c.var.db, c.var.viewer, c.req.param('id'));
  if (!post) throw new AppError('post_not_found');
  c.set('post', post);
  await next();
});
const withPostInside = createMiddleware<JudgingEnv, '/:id/:postId'>(async (c, next) => {
  const place = { communityId: c.req.param('id'), postId: c.req.param('postId') };
  c.set('post', await findInCommunity(c.var.db, c.var.viewer, place));
  await next();
});

/**
 * Checks that the person in the path exists, or responds with 403 to people who are not platform admins. Runs before
 * the body is parsed, so that they get the 403 even for an invalid body.
 */
const withPerson = createMiddleware<SignedInEnv, '/:id'>(async (c, next) => {
  if (!(await findPerson(c.var.db, c.var.viewer, c.req.param('id')))) throw new AppError('not_found');
  await next();
});

/**
 * Checks that the community in the path is approved, or responds with 403 to people who are not platform admins. Runs
 * before the body is parsed, so that they get the 403 even for an invalid body.
 */
const withApprovedCommunity = createMiddleware<SignedInEnv, '/:id'>(async (c, next) => {
  const community = await findCommunityStanding(c.var.db, c.var.viewer, c.req.param('id'));
  if (!community) throw new AppError('community_not_found');
  if (community.is_approved === 0) throw new AppError('wrong_state');
  await next();
});

/** Routes below `/api`. */
export const moderationRoutes = new Hono<AppEnv>()
  .post('/posts/:id/reports', requireViewer, requireJson, validate('json', reportInputSchema), async (c) =>
    c.json({ id: await reportPost(c, c.var.viewer, c.req.param('id'), c.req.valid('json')) }, 201),
  )
  .post('/claims/:id/reports', requireViewer, requireJson, validate('json', reportInputSchema), async (c) =>
    c.json({ id: await reportClaim(c, c.var.viewer, c.req.param('id'), c.req.valid('json')) }, 201),
  )
  .get('/admin/reports', requireViewer, validate('query', reportedPostQuerySchema), async (c) => {
    const { rows, nextCursor, known } = await listCases(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    return c.json(rows.flatMap((row) => presentCase(row, known, c.var)));
  })
  .get('/admin/log', requireViewer, validate('query', logQuerySchema), async (c) => {
    const { rows, nextCursor } = await listLog(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    return c.json(rows.map(presentLogEntry));
  })
  .post(
    '/admin/posts/:id/hide',
    requireViewer,
    withPost,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      continueDecision(c, await hideForAdmins(c.var.db, c.var.viewer, c.var.post, c.req.valid('json').reason));
      return c.body(null, 204);
    },
  )
  .post('/admin/posts/:id/restore', requireViewer, withPost, async (c) => {
    continueDecision(c, await restoreForAll(c.var.db, c.var.viewer, c.var.post, await readReason(c)));
    return c.body(null, 204);
  })
  .post('/admin/posts/:id/undo', requireViewer, withPost, async (c) => {
    const undone = await undoDecision(c.var.db, c.var.viewer, c.var.post);
    if (!undone) throw new AppError('too_late');
    continueDecision(c, undone);
    return c.body(null, 204);
  })
  .post(
    '/communities/:id/posts/:postId/hide',
    requireViewer,
    withPostInside,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      continueDecision(c, await hideForCommunity(c.var.db, c.var.viewer, c.var.post, c.req.valid('json').reason));
      return c.body(null, 204);
    },
  )
  .post('/communities/:id/posts/:postId/restore', requireViewer, withPostInside, async (c) => {
    continueDecision(c, await restoreForCommunity(c.var.db, c.var.viewer, c.var.post, await readReason(c)));
    return c.body(null, 204);
  })
  .post(
    '/admin/users/:id/suspend',
    requireViewer,
    withPerson,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      const done = await suspend(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('json').reason);
      if (!done) throw new AppError('last_admin');
      continueDecision(c, done);
      return c.body(null, 204);
    },
  )
  .post('/admin/users/:id/reinstate', requireViewer, withPerson, async (c) => {
    continueDecision(c, await reinstate(c.var.db, c.var.viewer, c.req.param('id'), await readReason(c)));
    return c.body(null, 204);
  })
  .post(
    '/admin/communities/:id/suspend',
    requireViewer,
    withApprovedCommunity,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      continueDecision(
        c,
        await suspendCommunity(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('json').reason),
      );
      return c.body(null, 204);
    },
  )
  .post('/admin/communities/:id/reinstate', requireViewer, withApprovedCommunity, async (c) => {
    continueDecision(c, await reinstateCommunity(c.var.db, c.var.viewer, c.req.param('id'), await readReason(c)));
    return c.body(null, 204);
  });

/**
 * Reads the optional reason for a restoration. The whole body may be omitted.
 * @throws AppError malformed_json, validation_failed.
 */
async function readReason(c: AppContext): Promise<string | null> {
  const text = await c.req.text();
  if (text.trim() === '') return null;
  const { success, data, error } = restorationSchema.safeParse(parse(text));
  if (!success) throw toValidationError(error);
  return data.reason;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('malformed_json');
  }
}
