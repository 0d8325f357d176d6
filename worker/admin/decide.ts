import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { queueKept } from '#worker/whatsapp/index.ts';
import { type DecidableCommunity, toDecisionJob, toDecisionMessage } from './admin-rules.ts';
import { approve, reject } from './decide-store.ts';

/**
 * Decides on a pending community, or its new name, and notifies the person who asked, after the answer.
 * @param reason of a rejection; null approves.
 * @returns the notice to them, or null when another admin decided first.
 */
export async function decide(
  c: AppContext,
  viewer: Viewer,
  community: DecidableCommunity,
  reason: string | null,
): Promise<CommunityDecisionMessage | null> {
  const { db, config } = c.var;
  const now = Date.now();
  const message = toDecisionMessage(community, reason, { id: newId(), now });
  // The template is worded for communities, not for names.
  const isSent = config.whatsapp.decisionTemplate !== null && community.pending_name === null;
  const job = isSent ? toDecisionJob(community, message) : null;
  const write = reason === null ? approve : reject;
  if (!(await write(db, viewer, { community, message, job, now }))) return null;
  continueAfterAnswer(c, deliverNotices(c.env, db, [message.id]));
  if (job !== null) continueAfterAnswer(c, queueKept(c.env, db, job));
  return message;
}
