import { Hono } from 'hono';
import { joinRequestInputSchema, type MadeJoinRequest, memberListQuerySchema } from '#contract/communities.ts';
import { assertSameBody } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import { linkNextPage } from '#worker/http/next-page.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { presentRequest } from './community-rules.ts';
import { acceptRequest, declineRequest, insertRequest, readRequests } from './request-store.ts';
import { assertMay, assertOpen, assertRequestable } from './step-rules.ts';

/** Below `/api/communities`: requests to join, and the admins' answers. */
export const joinRequestRoutes = new Hono<AppEnv>()
  .post('/:id/join-requests', requireViewer, requireJson, validate('json', joinRequestInputSchema), async (c) => {
    const { config, db, viewer } = c.var;
    const [communityId, now] = [c.req.param('id'), Date.now()];
    const allowance = allowanceOf(config, 'join_request', viewer.userId);
    const idempotencyKey = await readIdempotencyKey(c);
    const request = { communityId, ...c.req.valid('json'), idempotencyKey, allowance, now };
    const { before, repeated, isThere, counted, noticeIds } = await insertRequest(db, viewer, request);
    if (repeated) {
      assertSameBody(repeated, idempotencyKey);
      // It was accepted, or has been forgotten, since.
      if (!isThere) throw new AppError('idempotency_conflict');
    } else {
      assertRequestable(before);
      assertRoom(allowance, counted, now);
    }
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    return c.json({ community_id: communityId, status: 'waiting' } satisfies MadeJoinRequest, 201);
  })
  .get('/:id/join-requests', requireViewer, validate('query', memberListQuerySchema), async (c) => {
    const { community, page } = await readRequests(c.var.db, c.var.viewer, c.req.param('id'), c.req.valid('query'));
    assertMay('read_requests', community);
    linkNextPage(c, page.nextCursor);
    return c.json(page.rows.map(presentRequest));
  })
  .post('/:id/join-requests/:userId/accept', requireViewer, async (c) => {
    const asked = { communityId: c.req.param('id'), userId: c.req.param('userId'), now: Date.now() };
    const { community, isAnswered, noticeIds } = await acceptRequest(c.var.db, c.var.viewer, asked);
    assertOpen(assertMay('answer_request', community));
    if (!isAnswered) throw new AppError('join_request_not_found');
    continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
    return c.body(null, 204);
  })
  .post('/:id/join-requests/:userId/decline', requireViewer, async (c) => {
    const asked = { communityId: c.req.param('id'), userId: c.req.param('userId'), now: Date.now() };
    const { community, isAnswered } = await declineRequest(c.var.db, c.var.viewer, asked);
    assertMay('answer_request', community);
    if (!isAnswered) throw new AppError('join_request_not_found');
    return c.body(null, 204);
  });
