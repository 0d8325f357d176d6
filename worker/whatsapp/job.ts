import type { Language } from '#contract/language.ts';

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

/** The id under which a job's message is claimed, however often the queue delivers it. */
export function messageIdOf(job: WhatsappJob): string {
  return job.kind === 'reset_code' ? job.requestId : job.messageId;
}

/** Whether this version of the Worker knows the job: during a rollout the queue may hold another version's. */
export function isWhatsappJob(body: unknown): body is WhatsappJob {
  if (typeof body !== 'object' || body === null || !('kind' in body)) return false;
  return body.kind === 'reset_code' || body.kind === 'community_decision';
}
