import { Hono } from 'hono';
import {
  type Claim,
  claimInputSchema,
  claimListQuerySchema,
  claimTextInputSchema,
  handOverInputSchema,
} from '#contract/claims.ts';
import { requireSwitchedOn } from '#worker/admin/switches.ts';
import { type AppEnv, continueAfterAnswer, linkNextPage } from '#worker/http/context.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { handOver } from './hand-over.ts';
import { makeClaim } from './make-claim.ts';
import { answerClaim, listClaims, readOwnClaim } from './read-claims.ts';
import { takeOwnStep } from './take-step.ts';

const requireClaims = requireSwitchedOn('claims');

/** Routes below `/api`. */
export const claimRoutes = new Hono<AppEnv>()
  .post('/posts/:id/claims', requireViewer, requireClaims, requireJson, validate('json', claimInputSchema), async (c) =>
    c.json(await makeClaim(c, c.var.viewer, c.req.param('id'), c.req.valid('json')), 201),
  )
  .get('/claims', requireViewer, validate('query', claimListQuerySchema), async (c) => {
    const { db, viewer } = c.var;
    const { rows, nextCursor, noticeIds } = await listClaims(db, viewer, c.req.valid('query'), Date.now());
    linkNextPage(c, nextCursor);
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    return c.json(rows.map((row): Claim => answerClaim(c, viewer, row)));
  })
  .get('/claims/:id', requireViewer, async (c) => c.json(await readOwnClaim(c, c.var.viewer, c.req.param('id'))))
  .post(
    '/claims/:id/ask',
    requireViewer,
    requireClaims,
    requireJson,
    validate('json', claimTextInputSchema),
    async (c) => {
      const { text } = c.req.valid('json');
      return c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'ask', text }));
    },
  )
  .post(
    '/claims/:id/reply',
    requireViewer,
    requireClaims,
    requireJson,
    validate('json', claimTextInputSchema),
    async (c) => {
      const { text } = c.req.valid('json');
      return c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'reply', text }));
    },
  )
  .post('/claims/:id/accept', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'accept' })),
  )
  .post('/claims/:id/decline', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'decline' })),
  )
  .post('/claims/:id/undo', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'undo' })),
  )
  .post('/claims/:id/withdraw', requireViewer, requireClaims, async (c) =>
    c.json(await takeOwnStep(c, c.var.viewer, { claimId: c.req.param('id'), step: 'withdraw' })),
  )
  .post(
    '/claims/:id/hand-over',
    requireViewer,
    requireClaims,
    requireJson,
    validate('json', handOverInputSchema),
    async (c) => c.json(await handOver(c, c.var.viewer, c.req.param('id'), c.req.valid('json').code)),
  );
