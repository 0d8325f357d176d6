import type { ReportInput } from '#contract/moderation.ts';
import { assertSameBody } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { assertVisible } from '#worker/posts/index.ts';
import { chiefReason, toStandingMessage } from './moderation-rules.ts';
import { insertReport, type Reporting, readForReport } from './report-store.ts';
import { tellAdmins } from './tell-admins.ts';

/**
 * Reports somebody else's post, once a person, and after the answer tells those whom it concerns.
 * @returns the report's id; that of the first one when the same `Idempotency-Key` has made it before.
 * @throws AppError post_not_found, own_post, already_reported, too_many_requests, idempotency_mismatch.
 */
export async function reportPost(c: AppContext, viewer: Viewer, postId: string, input: ReportInput): Promise<string> {
  const { db, config } = c.var;
  const now = Date.now();
  const idempotencyKey = await readIdempotencyKey(c);
  const reporting = { postId, idempotencyKey, allowance: allowanceOf(config, 'report', viewer.userId), now };
  const before = await assertReportable(c, viewer, reporting);
  if (before.repeatedId !== null) return before.repeatedId;
  const reason = chiefReason(before.reasons, input.reason);
  const id = newId();
  const { isMade, noticeIds } = await insertReport(db, viewer, {
    ...reporting,
    id,
    input,
    message: toStandingMessage(before.post, { by: 'reports', reason }, { id: newId(), now }),
    minAgeSeconds: config.reporterMinAgeSeconds,
  });
  if (!isMade) {
    // Another request came between the two trips: it has made this one impossible, or is this one.
    const after = await assertReportable(c, viewer, reporting);
    if (after.repeatedId !== null) return after.repeatedId;
    throw new AppError('unavailable');
  }
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
  continueAfterAnswer(c, tellAdmins(c.env, db, now));
  return id;
}

/** @returns what the same key has made before, or what is to be reported. */
async function assertReportable(c: AppContext, viewer: Viewer, reporting: Reporting) {
  const { post, repeated, earlier, counted, reasons } = await readForReport(c.var.db, viewer, reporting);
  if (repeated) {
    assertSameBody(repeated, reporting.idempotencyKey);
    return { repeatedId: repeated.id };
  }
  const visible = assertVisible(post, viewer);
  if (visible.author_id === viewer.userId) throw new AppError('own_post');
  if (earlier) throw new AppError('already_reported');
  assertRoom(reporting.allowance, counted, reporting.now);
  return { repeatedId: null, post: visible, reasons };
}
