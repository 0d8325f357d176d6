import type { Claim, ClaimInput } from '#contract/claims.ts';
import { CLAIM_TRIES_MAX } from '#contract/limits.ts';
import { assertSameBody } from '#worker/db/idempotency.ts';
import { type Look, makeOnce } from '#worker/db/make-once.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { insertClaim, type Making, readForClaim } from './make-store.ts';
import { answerClaim } from './open-claim.ts';
import { findClaim } from './read-store.ts';

/**
 * Claims a found thing for the viewer, and notifies its finder after the answer.
 * @returns the claim, or the earlier one made with the same `Idempotency-Key`.
 * @throws AppError post_not_found, not_claimable, claim_exists, no_tries_left, too_many_requests, in this order;
 * idempotency_mismatch, idempotency_conflict.
 */
export async function makeClaim(c: AppContext, viewer: Viewer, postId: string, input: ClaimInput): Promise<Claim> {
  const { db, config } = c.var;
  const making = {
    postId,
    idempotencyKey: await readIdempotencyKey(c),
    allowances: {
      proven: allowanceOf(config, 'claim', viewer.userId),
      unproven: allowanceOf(config, 'claim_unproven', viewer.userId),
    },
    now: Date.now(),
  };
  return makeOnce(
    () => assertClaimable(c, viewer, making),
    async () => {
      const { row, noticeIds } = await insertClaim(db, viewer, { ...making, input });
      if (!row) return null;
      continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
      return answerClaim(c, viewer, row);
    },
  );
}

async function assertClaimable(c: AppContext, viewer: Viewer, making: Making): Promise<Look<null, Claim>> {
  const { post, repeated, counted } = await readForClaim(c.var.db, viewer, making);
  if (repeated) {
    assertSameBody(repeated, making.idempotencyKey);
    return { made: await openMade(c, viewer, repeated.id) };
  }
  if (post?.is_seen !== 1) throw new AppError('post_not_found');
  if (post.is_claimable === 0) throw new AppError('not_claimable');
  if (post.has_open === 1) throw new AppError('claim_exists');
  if (post.tries >= CLAIM_TRIES_MAX) throw new AppError('no_tries_left');
  const kind = post.is_proven === 1 ? 'proven' : 'unproven';
  assertRoom(making.allowances[kind], counted[kind], making.now);
  return { needed: null };
}

/** Answers with the claim that the same key has made. @throws AppError idempotency_conflict if it has been deleted since. */
async function openMade(c: AppContext, viewer: Viewer, claimId: string): Promise<Claim> {
  const { row, noticeIds } = await findClaim(c.var.db, viewer, claimId, Date.now());
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
  if (!row) throw new AppError('idempotency_conflict');
  return answerClaim(c, viewer, row);
}
