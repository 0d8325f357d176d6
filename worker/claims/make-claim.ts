import type { Claim, ClaimInput } from '#contract/claims.ts';
import { CLAIM_TRIES_MAX } from '#contract/limits.ts';
import { idMadeBefore } from '#worker/db/idempotency.ts';
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
  const before = await readForClaim(db, viewer, making);
  const earlier = idMadeBefore(before.repeated, making.idempotencyKey);
  if (earlier !== null) return openMade(c, viewer, earlier);
  assertClaimable(before, making);
  const { row, noticeIds } = await insertClaim(db, viewer, { ...making, input });
  if (row) {
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    return answerClaim(c, viewer, row);
  }
  // A concurrent request was first: it has used the key, or has made this claim impossible.
  const after = await readForClaim(db, viewer, making);
  const concurrent = idMadeBefore(after.repeated, making.idempotencyKey);
  if (concurrent !== null) return openMade(c, viewer, concurrent);
  assertClaimable(after, making);
  throw new AppError('unavailable');
}

function assertClaimable(
  { post, counted }: Awaited<ReturnType<typeof readForClaim>>,
  { allowances, now }: Making,
): void {
  if (post?.is_seen !== 1) throw new AppError('post_not_found');
  if (post.is_claimable === 0) throw new AppError('not_claimable');
  if (post.has_open === 1) throw new AppError('claim_exists');
  if (post.tries >= CLAIM_TRIES_MAX) throw new AppError('no_tries_left');
  const kind = post.is_proven === 1 ? 'proven' : 'unproven';
  assertRoom(allowances[kind], counted[kind], now);
}

/** Answers with the claim that the same key has made. @throws AppError idempotency_conflict if it has been deleted since. */
async function openMade(c: AppContext, viewer: Viewer, claimId: string): Promise<Claim> {
  const { row, noticeIds } = await findClaim(c.var.db, viewer, claimId, Date.now());
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
  if (!row) throw new AppError('idempotency_conflict');
  return answerClaim(c, viewer, row);
}
