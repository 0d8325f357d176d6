import { Hono } from 'hono';
import {
  type Claim,
  claimInputSchema,
  claimListQuerySchema,
  claimTextInputSchema,
  handOverInputSchema,
} from '#contract/claims.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { requireSwitchedOn } from '#worker/switches/index.ts';
import { listClaims } from './list-store.ts';
import { makeClaim } from './make-claim.ts';
import { answerClaim, handOver, readOwnClaim, takeOwnStep } from './open-claim.ts';

const requireClaims = requireSwitchedOn('claims');

/** Below `/api/posts`. */
export const postClaimRoutes = new Hono<AppEnv>().post(
  '/:id/claims',
  requireViewer,
  requireClaims,
  requireJson,
  validate('json', claimInputSchema),
  async (c) => c.json(await makeClaim(c, c.var.viewer, c.req.param('id'), c.req.valid('json')), 201),
);

/** Below `/api/claims`. Each step returns the changed claim. */
export const claimRoutes = new Hono<AppEnv>()
  .get('/', requireViewer, validate('query', claimListQuerySchema), async (c) => {
    const { db, viewer } = c.var;
    const { rows, nextCursor, noticeIds } = await listClaims(db, viewer, c.req.valid('query'), Date.now());
    linkNextPage(c, nextCursor);
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    return c.json(rows.map((row): Claim => answerClaim(c, viewer, row)));
  })
  .get('/:id', requireViewer, async (c) => c.json(await readOwnClaim(c, c.var.viewer, c.req.param('id'))))
  .post('/:id/ask', requireViewer, requireClaims, requireJson, validate('json', claimTextInputSchema), async (c) => {
    const { text } = c.req.valid('json');
    return c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'ask', text }));
  })
  .post('/:id/reply', requireViewer, requireClaims, requireJson, validate('json', claimTextInputSchema), async (c) => {
    const { text } = c.req.valid('json');
    return c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'reply', text }));
  })
  .post('/:id/accept', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'accept' })),
  )
  .post('/:id/decline', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'decline' })),
  )
  .post('/:id/undo', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'undo' })),
  )
  .post('/:id/withdraw', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'withdraw' })),
  )
  .post('/:id/hand-over', requireViewer, requireClaims, requireJson, validate('json', handOverInputSchema), async (c) =>
    c.json(await handOver(c, c.var.viewer, c.req.param('id'), c.req.valid('json').code)),
  );
