import type { ReportInput } from '#contract/moderation.ts';
import { idMadeBefore } from '#worker/db/idempotency.ts';
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
 * Reports one of the viewer's own claims, once per person. An admin sees the whole claim in its post's case. It hides
 * nothing.
 * @returns the report's id, or that of the earlier one made with the same `Idempotency-Key`.
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
  const before = await readForClaimReport(db, viewer, reporting);
  const earlier = idMadeBefore(before.repeated, reporting.idempotencyKey);
  if (earlier !== null) return earlier;
  const { post_id: postId } = assertReportable(before, reporting);
  const id = newId();
  if (await insertClaimReport(db, viewer, { ...reporting, id, postId, input })) {
    continueAfterAnswer(c, tellAdmins(c.env, db, reporting.now));
    return id;
  }
  // A concurrent request was first: it has used the key, or has made this report impossible.
  const after = await readForClaimReport(db, viewer, reporting);
  const concurrent = idMadeBefore(after.repeated, reporting.idempotencyKey);
  if (concurrent !== null) return concurrent;
  assertReportable(after, reporting);
  throw new AppError('unavailable');
}

/** @returns the claim. */
function assertReportable(
  { claim, counted }: Awaited<ReturnType<typeof readForClaimReport>>,
  { allowance, now }: ClaimReporting,
) {
  if (!claim) throw new AppError('claim_not_found');
  if (claim.is_reported === 1) throw new AppError('already_reported');
  assertRoom(allowance, counted, now);
  return claim;
}
