import type { ReportInput } from '#contract/moderation.ts';
import { assertSameBody } from '#worker/db/idempotency.ts';
import { type Look, makeOnce } from '#worker/db/make-once.ts';
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
  return makeOnce(
    () => assertReportable(c, viewer, reporting),
    async ({ post, reasons }) => {
      const reason = chiefReason(reasons, input.reason);
      const id = newId();
      const { isMade, hiddenPosts, noticeIds } = await insertReport(db, viewer, {
        ...reporting,
        id,
        input,
        message: toStandingMessage(post, { by: 'reports', reason }, { id: newId(), now }),
        minAgeSeconds: config.reporterMinAgeSeconds,
      });
      if (!isMade) return null;
      continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
      continueAfterAnswer(c, tellAdmins(c.env, db, now));
      forgetPosts(c, hiddenPosts);
      return id;
    },
  );
}

type Read = Awaited<ReturnType<typeof readForReport>>;
type Reportable = { post: NonNullable<Read['post']>; reasons: Read['reasons'] };

async function assertReportable(
  c: AppContext,
  viewer: Viewer,
  reporting: Reporting,
): Promise<Look<Reportable, string>> {
  const { post, repeated, earlier, counted, reasons } = await readForReport(c.var.db, viewer, reporting);
  if (repeated) {
    assertSameBody(repeated, reporting.idempotencyKey);
    return { made: repeated.id };
  }
  const visible = assertVisible(post, viewer);
  if (visible.author_id === viewer.userId) throw new AppError('own_post');
  if (earlier) throw new AppError('already_reported');
  assertRoom(reporting.allowance, counted, reporting.now);
  return { needed: { post: visible, reasons } };
}
