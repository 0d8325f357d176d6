import type { ReportInput } from '#contract/moderation.ts';
import { assertSameBody } from '#worker/db/idempotency.ts';
import { type Look, makeOnce } from '#worker/db/make-once.ts';
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
  return makeOnce(
    () => assertReportable(c, viewer, reporting),
    async ({ postId }) => {
      const id = newId();
      if (!(await insertClaimReport(db, viewer, { ...reporting, id, postId, input }))) return null;
      continueAfterAnswer(c, tellAdmins(c.env, db, reporting.now));
      return id;
    },
  );
}

/** @returns what the same key has made before, or the id of the claim's post. */
async function assertReportable(
  c: AppContext,
  viewer: Viewer,
  reporting: ClaimReporting,
): Promise<Look<{ postId: string }, string>> {
  const { claim, repeated, counted } = await readForClaimReport(c.var.db, viewer, reporting);
  if (repeated) {
    assertSameBody(repeated, reporting.idempotencyKey);
    return { made: repeated.id };
  }
  if (!claim) throw new AppError('claim_not_found');
  if (claim.is_reported === 1) throw new AppError('already_reported');
  assertRoom(reporting.allowance, counted, reporting.now);
  return { needed: { postId: claim.post_id } };
}
