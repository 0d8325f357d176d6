import type { ReportInput } from '#contract/moderation.ts';
import { idMadeBefore } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
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
 * Reports somebody else's post, once per person, and sends notices after the answer.
 * @returns the report's id, or that of the earlier one made with the same `Idempotency-Key`.
 * @throws AppError post_not_found, own_post, already_reported, too_many_requests, idempotency_mismatch.
 */
export async function reportPost(c: AppContext, viewer: Viewer, postId: string, input: ReportInput): Promise<string> {
  const { db, config } = c.var;
  const now = Date.now();
  const idempotencyKey = await readIdempotencyKey(c);
  const reporting = { postId, idempotencyKey, allowance: allowanceOf(config, 'report', viewer.userId), now };
  const before = await readForReport(db, viewer, reporting);
  const earlier = idMadeBefore(before.repeated, idempotencyKey);
  if (earlier !== null) return earlier;
  const post = assertReportable(before, viewer, reporting);
  const reason = chiefReason(before.reasons, input.reason);
  const id = newId();
  const { isMade, hiddenPosts, noticeIds } = await insertReport(db, viewer, {
    ...reporting,
    id,
    input,
    message: toStandingMessage(post, { by: 'reports', reason }, { id: newId(), now }),
    minAgeSeconds: config.reporterMinAgeSeconds,
  });
  if (isMade) {
    continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
    continueAfterAnswer(c, tellAdmins(c.env, db, now));
    forgetPosts(c, hiddenPosts);
    return id;
  }
  // A concurrent request was first: it has used the key, or has made this report impossible.
  const after = await readForReport(db, viewer, reporting);
  const concurrent = idMadeBefore(after.repeated, idempotencyKey);
  if (concurrent !== null) return concurrent;
  assertReportable(after, viewer, reporting);
  throw new AppError('unavailable');
}

/** @returns the post. */
function assertReportable(
  { post, earlier, counted }: Awaited<ReturnType<typeof readForReport>>,
  viewer: Viewer,
  { allowance, now }: Reporting,
) {
  const visible = assertVisible(post, viewer);
  if (visible.author_id === viewer.userId) throw new AppError('own_post');
  if (earlier) throw new AppError('already_reported');
  assertRoom(allowance, counted, now);
  return visible;
}
