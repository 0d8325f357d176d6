import type { AdminCommunity, ApprovalStatus } from '#contract/communities.ts';
import type { FeedbackEntry } from '#contract/feedback.ts';
import type { Language } from '#contract/language.ts';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { CommunityDecisionJob } from '#contract/whatsapp.ts';
import { AppError } from '#worker/errors/app-error.ts';

/** A community as the platform's admins judge it, with what its creator must be told. */
export type DecidableCommunity = {
  id: string;
  name: string;
  approval_status: ApprovalStatus;
  creator_id: string;
  creator_language: Language;
};

/** @throws AppError community_not_found, or already_decided once it was approved. A rejected one is gone. */
export function assertPending(row: DecidableCommunity | undefined): DecidableCommunity {
  if (!row) throw new AppError('community_not_found');
  if (row.approval_status !== 0) throw new AppError('already_decided');
  return row;
}

/** @param reason why it was rejected; null approves it. */
export function toDecisionMessage(
  { id: communityId, name }: DecidableCommunity,
  reason: string | null,
  { id, now }: { id: string; now: number },
): CommunityDecisionMessage {
  return {
    type: reason === null ? 'community_approved' : 'community_rejected',
    id,
    community_id: communityId,
    name,
    reason,
    created_at: new Date(now).toISOString(),
  };
}

/** The same over WhatsApp, in the language that the community was asked for in. */
export function toDecisionJob(community: DecidableCommunity, message: CommunityDecisionMessage): CommunityDecisionJob {
  return {
    kind: 'community_decision',
    messageId: message.id,
    recipientId: community.creator_id,
    communityName: message.name,
    outcome: message.type === 'community_approved' ? 'approved' : 'rejected',
    language: community.creator_language,
  };
}

export type AdminCommunityRow = Omit<AdminCommunity, 'created_at'> & { created_at: number };

export function presentAdminCommunity(row: AdminCommunityRow): AdminCommunity {
  return { ...row, created_at: new Date(row.created_at).toISOString() };
}

export type FeedbackRow = Omit<FeedbackEntry, 'created_at'> & { seq: number; created_at: number };

export function presentFeedback({ id, email, message, created_at }: FeedbackRow): FeedbackEntry {
  return { id, email, message, created_at: new Date(created_at).toISOString() };
}
