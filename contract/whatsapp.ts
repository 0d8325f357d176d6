import type { Language } from './language.ts';

/** Names the code by its request, so that neither queue nor dead letter holds one. */
export type ResetCodeJob = { kind: 'reset_code'; requestId: string; language: Language };

/** Tells a creator how their community was decided. `messageId` is the caller's, and unique: one message is sent an id. */
export type CommunityDecisionJob = {
  kind: 'community_decision';
  messageId: string;
  recipientId: string;
  communityName: string;
  outcome: 'approved' | 'rejected';
  language: Language;
};

/** What the queue carries, and what a dead letter is. */
export type WhatsappJob = ResetCodeJob | CommunityDecisionJob;

/** How far the sending of a message has come. */
export type SendingStatus = 'waiting' | 'sending' | 'accepted' | 'failed';

/** What Meta reports of an accepted message, from the least to the most that can be known. */
export const DELIVERY_STATUSES = ['sent', 'failed', 'delivered', 'read'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
