import type { Claim } from '#contract/claims.ts';
import { HANDOVER_CODE_TRIES, HANDOVER_LOCK_SECONDS } from '#contract/limits.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/context.ts';
import { deriveHandoverCode } from '#worker/identity/codes.ts';
import { isSameText } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { answerClaim, selectClaim } from './read-claims.ts';
import { assertNotPaused, assertUnlocked, isNotPaused, isUnlocked, takeOwnStep } from './take-step.ts';

/**
 * Records that the thing was handed over, if the finder has typed the claimant's hand-over code.
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

/**
 * Counts a wrong hand-over code, if the viewer is the finder, the claim is accepted and not paused, and the code is not
 * locked. The last allowed attempt locks the code. Attempts while it is locked are not counted.
 * @returns the current claim, and whether the attempt was counted.
 */
async function countWrongCode(db: Db, viewer: Viewer, claimId: string, now: number) {
  const { counted, row } = await publishAs(db, viewer, {
    counted: queryRows(db, idRow)`
      update claims as k set
        wrong_codes = iif(wrong_codes < ${HANDOVER_CODE_TRIES}, wrong_codes, 0) + 1,
        code_locked_until = iif(wrong_codes = ${HANDOVER_CODE_TRIES - 1}, ${now + HANDOVER_LOCK_SECONDS * 1000}, 0)
      where k.id = ${claimId} and k.finder_id = ${viewer.userId} and k.state = 'accepted' and ${isUnlocked(now)}
        and ${isNotPaused()}
      returning id`,
    row: selectClaim(db, claimId),
  });
  return { row, isCounted: counted.length > 0 };
}
