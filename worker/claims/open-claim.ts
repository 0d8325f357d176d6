import type { Claim, ClaimStep } from '#contract/claims.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { isSameText } from '#worker/identity/same-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { nextState, waitsForPost } from './claim-rules.ts';
import { countWrongCode } from './code-store.ts';
import { deriveHandoverCode } from './handover-code.ts';
import { type ClaimRow, presentClaim, roleOf } from './present-claim.ts';
import { findClaim } from './read-store.ts';
import { takeStep } from './step-store.ts';

/** The claim as the viewer may see it. @throws AppError claim_not_found unless they are one of its two people. */
export function answerClaim(c: AppContext, viewer: Viewer, row: ClaimRow | undefined): Claim {
  const role = row && roleOf(row, viewer);
  if (!row || !role) throw new AppError('claim_not_found');
  return presentClaim(row, role, { codeKey: c.var.config.keys.code, now: Date.now() });
}

/**
 * Reads a claim. A decline that has come due takes effect, and is notified after the answer.
 * @throws AppError claim_not_found unless the viewer is one of its two people.
 */
export async function readOwnClaim(c: AppContext, viewer: Viewer, claimId: string): Promise<Claim> {
  const { row, noticeIds } = await findClaim(c.var.db, viewer, claimId, Date.now());
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
  return answerClaim(c, viewer, row);
}

/**
 * Takes a step and notifies the other side after the answer.
 * @throws AppError claim_not_found, wrong_state, post_hidden.
 */
export async function takeOwnStep(
  c: AppContext,
  viewer: Viewer,
  { claimId, step, text = null }: { claimId: string; step: ClaimStep; text?: string | null },
): Promise<Claim> {
  const now = Date.now();
  const declineDueAt = now + c.var.config.claimDeclineSeconds * 1000;
  const { row, isTaken, noticeIds } = await takeStep(c.var.db, viewer, { claimId, step, text, declineDueAt, now });
  const claim = answerClaim(c, viewer, row);
  // Even if the step was not taken, a due decline may have taken effect.
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
  if (isTaken) return claim;
  if (row) assertNotPaused(row, viewer, step);
  if (step === 'hand-over' && row) assertUnlocked(row, viewer, now);
  throw new AppError('wrong_state');
}

/**
 * Records that the thing was handed over, as the claimant's code proves.
 * @throws AppError claim_not_found, wrong_state, post_hidden, code_locked, invalid_code.
 */
export async function handOver(c: AppContext, viewer: Viewer, claimId: string, code: string): Promise<Claim> {
  const right = deriveHandoverCode(c.var.config.keys.code, claimId);
  if (isSameText(code, right)) return takeOwnStep(c, viewer, { claimId, step: 'hand-over' });
  const now = Date.now();
  const { row, isCounted } = await countWrongCode(c.var.db, viewer, claimId, now);
  answerClaim(c, viewer, row);
  if (isCounted) throw new AppError('invalid_code');
  if (row) assertNotPaused(row, viewer, 'hand-over');
  if (row) assertUnlocked(row, viewer, now);
  throw new AppError('wrong_state');
}

/** @throws AppError post_hidden if that alone keeps the viewer from taking the step now. */
function assertNotPaused(row: ClaimRow, viewer: Viewer, step: ClaimStep): void {
  const role = roleOf(row, viewer);
  const isItsTurn = role !== null && nextState(row.state, step, role) !== 'wrong_state';
  if (isItsTurn && row.is_post_hidden === 1 && waitsForPost(step)) throw new AppError('post_hidden');
}

/** @throws AppError code_locked if the viewer is the finder and the code is locked. */
function assertUnlocked({ state, code_locked_until, ...row }: ClaimRow, viewer: Viewer, now: number): void {
  if (row.finder_id !== viewer.userId || state !== 'accepted' || code_locked_until <= now) return;
  throw new AppError('code_locked', { retryAfterSeconds: Math.ceil((code_locked_until - now) / 1000) });
}
