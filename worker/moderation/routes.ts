import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import {
  logQuerySchema,
  moderationReasonSchema,
  reportedPostQuerySchema,
  reportInputSchema,
} from '#contract/moderation.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv, SignedInEnv } from '#worker/http/app-env.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { carryOut } from './carry-out.ts';
import { findInCommunity, hideForCommunity, restoreForCommunity } from './community-store.ts';
import { findJudged, hideForAdmins, restoreForAll } from './decide-store.ts';
import { listLog } from './log-store.ts';
import { type JudgedPost, presentCase, presentLogEntry } from './moderation-rules.ts';
import { listCases } from './queue-store.ts';
import { readReason } from './read-reason.ts';
import { reportClaim } from './report-claim.ts';
import { reportPost } from './report-post.ts';
import { undoDecision } from './undo-store.ts';

type JudgingEnv = {
  Bindings: SignedInEnv['Bindings'];
  Variables: SignedInEnv['Variables'] & { post: JudgedPost };
};

/** Both read the post before the body is parsed, so that others than admins get a 403 whatever they send. */
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

/** Below `/api/posts`. */
export const reportRoutes = new Hono<AppEnv>().post(
  '/:id/reports',
  requireViewer,
  requireJson,
  validate('json', reportInputSchema),
  async (c) => c.json({ id: await reportPost(c, c.var.viewer, c.req.param('id'), c.req.valid('json')) }, 201),
);

/** Below `/api/claims`. */
export const claimReportRoutes = new Hono<AppEnv>().post(
  '/:id/reports',
  requireViewer,
  requireJson,
  validate('json', reportInputSchema),
  async (c) => c.json({ id: await reportClaim(c, c.var.viewer, c.req.param('id'), c.req.valid('json')) }, 201),
);

/** Below `/api/admin`. */
export const moderationRoutes = new Hono<AppEnv>()
  .get('/reports', requireViewer, validate('query', reportedPostQuerySchema), async (c) => {
    const { rows, nextCursor, known } = await listCases(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    return c.json(rows.flatMap((row) => presentCase(row, known, c.var)));
  })
  .get('/log', requireViewer, validate('query', logQuerySchema), async (c) => {
    const { rows, nextCursor } = await listLog(c.var.db, c.var.viewer, c.req.valid('query'));
    linkNextPage(c, nextCursor);
    return c.json(rows.map(presentLogEntry));
  })
  .post(
    '/posts/:id/hide',
    requireViewer,
    withPost,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      carryOut(c, await hideForAdmins(c.var.db, c.var.viewer, c.var.post, c.req.valid('json').reason));
      return c.body(null, 204);
    },
  )
  .post('/posts/:id/restore', requireViewer, withPost, async (c) => {
    carryOut(c, await restoreForAll(c.var.db, c.var.viewer, c.var.post, await readReason(c)));
    return c.body(null, 204);
  })
  .post('/posts/:id/undo', requireViewer, withPost, async (c) => {
    const undone = await undoDecision(c.var.db, c.var.viewer, c.var.post);
    if (!undone) throw new AppError('too_late');
    carryOut(c, undone);
    return c.body(null, 204);
  });

/** Below `/api/communities`. */
export const communityModerationRoutes = new Hono<AppEnv>()
  .post(
    '/:id/posts/:postId/hide',
    requireViewer,
    withPostInside,
    requireJson,
    validate('json', moderationReasonSchema),
    async (c) => {
      carryOut(c, await hideForCommunity(c.var.db, c.var.viewer, c.var.post, c.req.valid('json').reason));
      return c.body(null, 204);
    },
  )
  .post('/:id/posts/:postId/restore', requireViewer, withPostInside, async (c) => {
    carryOut(c, await restoreForCommunity(c.var.db, c.var.viewer, c.var.post, await readReason(c)));
    return c.body(null, 204);
  });
