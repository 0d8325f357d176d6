import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { newId } from '#worker/identity/ids.ts';
import { deliverNotices } from '#worker/notices/index.ts';
import { queueWhatsapp } from '#worker/whatsapp/index.ts';
import { type DecidableCommunity, toDecisionMessage } from './admin-rules.ts';
import { approve, reject } from './store.ts';

/**
 * Decides a pending community and, after the answer, tells its creator.
 * @param reason why it is rejected; null approves it.
 * @returns what the creator is told, or null when another admin decided first.
 */
export async function decide(
  c: AppContext,
  community: DecidableCommunity,
  reason: string | null,
): Promise<CommunityDecisionMessage | null> {
  const { db } = c.var;
  const now = Date.now();
  const message = toDecisionMessage(community, reason, { id: newId(), now });
  const write = reason === null ? approve : reject;
  if (!(await write(db, { community, message, now }))) return null;
  c.executionCtx.waitUntil(deliverNotices(c.env, db, [message.id]));
  if (c.var.config.whatsapp.decisionTemplate !== null)
    c.executionCtx.waitUntil(sendDecision(c.env, community, message));
  return message;
}

/** The notice is in the creator's mailbox whatever happens here, so that a queue that cannot be reached is logged and no more. */
async function sendDecision(env: Env, community: DecidableCommunity, message: CommunityDecisionMessage): Promise<void> {
  try {
    await queueWhatsapp(env, {
      kind: 'community_decision',
      messageId: message.id,
      recipientId: community.creator_id,
      communityName: message.name,
      outcome: message.type === 'community_approved' ? 'approved' : 'rejected',
      language: community.creator_language,
    });
  } catch (error) {
    console.warn({ event: 'decision_not_queued', name: errorName(error) });
  }
}
