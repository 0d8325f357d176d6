import type { ReportInput } from '#contract/moderation.ts';
import { assertSameBody } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { type ClaimReporting, insertClaimReport, readForClaimReport } from './claim-report-store.ts';
import { tellAdmins } from './tell-admins.ts';

/**
 * Reports a claim of one's own, once a person: an admin reads it whole at its post's case. It hides nothing.
 * @returns the report's id; that of the first one when the same `Idempotency-Key` has made it before.
 * @throws AppError claim_not_found, already_reported, too_many_requests, idempotency_mismatch.
 */
export async function reportClaim(c: AppContext, viewer: Viewer, claimId: string, input: ReportInput): Promise<string> {
  const { db, config } = c.var;
  const reporting = {
    claimId,
    idempotencyKey: await readIdempotencyKey(c),
    allowance: allowanceOf(config, 'report', viewer.userId),
    now: Date.now(),
  };
  const before = await assertReportable(c, viewer, reporting);
  if (before.repeatedId !== null) return before.repeatedId;
  const id = newId();
  if (await insertClaimReport(db, viewer, { ...reporting, id, postId: before.postId, input })) {
    continueAfterAnswer(c, tellAdmins(c.env, db, reporting.now));
    return id;
  }
  // Another request came between the two trips: it has made this one impossible, or is this one.
  const after = await assertReportable(c, viewer, reporting);
  if (after.repeatedId !== null) return after.repeatedId;
  throw new AppError('unavailable');
}

/** @returns what the same key has made before, or whose post it is put before the admins with. */
async function assertReportable(c: AppContext, viewer: Viewer, reporting: ClaimReporting) {
  const { claim, repeated, counted } = await readForClaimReport(c.var.db, viewer, reporting);
  if (repeated) {
    assertSameBody(repeated, reporting.idempotencyKey);
    return { repeatedId: repeated.id };
  }
  if (!claim) throw new AppError('claim_not_found');
  if (claim.is_reported === 1) throw new AppError('already_reported');
  assertRoom(reporting.allowance, counted, reporting.now);
  return { repeatedId: null, postId: claim.post_id };
}
