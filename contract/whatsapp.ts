import * as z from 'zod/mini';
import { LANGUAGES, type Language } from './language.ts';
import type { NoticeWhatsappJob } from './notice-jobs.ts';
import { accountPhoneSchema } from './phone.ts';
import { timeSchema } from './time.ts';

/** Each kind of code is valid only for its own purpose. */
export const NUMBER_CODE_KINDS = ['prove_number', 'change_number'] as const;
export type NumberCodeKind = (typeof NUMBER_CODE_KINDS)[number];
type CodeKind = 'reset_code' | NumberCodeKind;

/** Refers to the code by its request, so that neither the queue nor a dead letter contains it. */
export type CodeJob = { kind: CodeKind; requestId: string; language: Language };

/** Tells the creator of a community about the decision. The caller chooses `messageId`; only one message is sent per id. */
export type CommunityDecisionJob = {
  kind: 'community_decision';
  messageId: string;
  recipientId: string;
  communityName: string;
  outcome: 'approved' | 'rejected';
  language: Language;
};

/** Answers a STOP or START. */
export type WordAnswerJob = {
  kind: 'stopped' | 'started';
  messageId: string;
  recipientId: string;
  language: Language;
};

/** A message to send; also the content of a dead letter. */
export type WhatsappJob = CodeJob | CommunityDecisionJob | NoticeWhatsappJob | WordAnswerJob;

/** Sent by the cron; `GET /api/health` checks that it arrives, which shows that the queue works. */
export type HeartbeatJob = { kind: 'heartbeat' };

/** A job on the queue. */
export type QueueJob = WhatsappJob | HeartbeatJob;

/** The state of sending a message. */
export type SendingStatus = 'waiting' | 'sending' | 'accepted' | 'failed';

/** What Meta reports about an accepted message, from least to most advanced. */
export const DELIVERY_STATUSES = ['sent', 'failed', 'delivered', 'read'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const localWhatsappMessageQuerySchema = z.object({ to: z.optional(accountPhoneSchema) });

/** `GET /api/dev/whatsapp-messages`: the messages of the local transport. */
export const localWhatsappMessageSchema = z.object({
  to: z.string(),
  kind: z.enum(['reset_code', ...NUMBER_CODE_KINDS, 'community_decision', 'match_notice', 'stopped', 'started']),
  language: z.enum(LANGUAGES),
  /** Null for a message without a code. */
  code: z.nullable(z.string()),
  created_at: timeSchema,
});
export type LocalWhatsappMessage = z.infer<typeof localWhatsappMessageSchema>;

/** `POST /api/dev/whatsapp-incoming`: simulates a message from Meta. Without `from` its sender hides their number. */
export const incomingMessageInputSchema = z.object({
  from: z.optional(z.nullable(accountPhoneSchema)),
  text: z.string({ error: 'text_invalid' }),
  forwarded: z.optional(z.boolean()),
});
