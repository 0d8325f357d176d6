import * as z from 'zod/mini';
import { LANGUAGES, type Language } from './language.ts';
import type { NoticeWhatsappJob } from './notice-jobs.ts';
import { accountPhoneSchema } from './phone.ts';
import { timeSchema } from './time.ts';

/** Each kind of code is good for what it was asked for alone. */
export const NUMBER_CODE_KINDS = ['prove_number', 'change_number'] as const;
export type NumberCodeKind = (typeof NUMBER_CODE_KINDS)[number];
export type CodeKind = 'reset_code' | NumberCodeKind;

/** Names the code by its request, so that neither queue nor dead letter holds one. */
export type CodeJob = { kind: CodeKind; requestId: string; language: Language };

/** Tells a creator how their community was decided. `messageId` is the caller's, and unique: one message is sent an id. */
export type CommunityDecisionJob = {
  kind: 'community_decision';
  messageId: string;
  recipientId: string;
  communityName: string;
  outcome: 'approved' | 'rejected';
  language: Language;
};

/** Answers a STOP or START that somebody has sent us. */
export type WordAnswerJob = {
  kind: 'stopped' | 'started';
  messageId: string;
  recipientId: string;
  language: Language;
};

/** A message to be sent, and what a dead letter is. */
export type WhatsappJob = CodeJob | CommunityDecisionJob | NoticeWhatsappJob | WordAnswerJob;

/** Sent by the cron and looked for by `GET /api/health`: that it arrives says that the queue brings what it is given. */
export type HeartbeatJob = { kind: 'heartbeat' };

/** What the queue carries. */
export type QueueJob = WhatsappJob | HeartbeatJob;

/** How far the sending of a message has come. */
export type SendingStatus = 'waiting' | 'sending' | 'accepted' | 'failed';

/** What Meta reports of an accepted message, from the least to the most that can be known. */
export const DELIVERY_STATUSES = ['sent', 'failed', 'delivered', 'read'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const localWhatsappMessageQuerySchema = z.object({ to: z.optional(accountPhoneSchema) });

/** `GET /api/dev/whatsapp-messages`: what the local transport has sent. */
export const localWhatsappMessageSchema = z.object({
  to: z.string(),
  kind: z.enum(['reset_code', ...NUMBER_CODE_KINDS, 'community_decision', 'match_notice', 'stopped', 'started']),
  language: z.enum(LANGUAGES),
  /** Null for a message that carries none. */
  code: z.nullable(z.string()),
  created_at: timeSchema,
});
export type LocalWhatsappMessage = z.infer<typeof localWhatsappMessageSchema>;

/** `POST /api/dev/whatsapp-incoming`: a message as if Meta had brought it. Without `from` its sender hides their number. */
export const incomingMessageInputSchema = z.object({
  from: z.optional(z.nullable(accountPhoneSchema)),
  text: z.string({ error: 'text_invalid' }),
  forwarded: z.optional(z.boolean()),
});
