import type { Language } from './language.ts';

/** The ways to reach a person who has no page open, in the order of their turns. */
export const CHANNELS = ['push', 'whatsapp', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * What decided a notice's turn on a channel, as the person's mailbox stores it: a row of the table in
 * `durable/channel-rules.ts`, or `full` when the day's messages have been used up.
 */
export type TurnOutcome = 'ended' | 'absent' | 'unwanted' | 'phone_lost' | 'asleep' | 'awake' | 'full';

/** The longest delay that a queue supports. */
export const QUEUE_DELAY_MAX_SECONDS = 12 * 60 * 60;

// The jobs that a person's mailbox queues when a notice has waited long enough. A job may be delivered twice: its id
// identifies the message, so that a consumer recognises the second one (WhatsApp, e-mail), or the browser replaces the
// first one (push).

/** One notice to one of the person's browsers. Its content is read when it is sent. */
export type PushJob = {
  kind: 'push';
  userId: string;
  noticeId: string;
  subscriptionId: string;
  /** Whether it is sent during the person's quiet hours. */
  isSilent: boolean;
};

type WaitingNoticesJob = {
  /** The first notice's id. Only one message is sent per id. */
  messageId: string;
  userId: string;
  /** The notices that the message is about, oldest first: one, or after quiet hours the first ones of those that waited. */
  noticeIds: string[];
  /** How many are waiting in total. */
  waiting: number;
  /** The language of the message. */
  language: Language;
};

/** One WhatsApp message. */
export type NoticeWhatsappJob = WaitingNoticesJob & { kind: 'match_notice' };

/** One e-mail. */
export type NoticeEmailJob = WaitingNoticesJob & { kind: 'notice' };

/** The link that proves an e-mail, by its id only, so that neither the queue nor a dead letter contains its token. */
export type EmailLinkJob = { kind: 'confirm_email'; linkId: string };

/** A job on the e-mail queue. */
export type EmailJob = NoticeEmailJob | EmailLinkJob;

/** A job with its channel, as the person's mailbox stores it until the channel's queue has accepted it. */
export type OutgoingJob =
  | { channel: 'push'; job: PushJob }
  | { channel: 'whatsapp'; job: NoticeWhatsappJob }
  | { channel: 'email'; job: NoticeEmailJob };

/** Each kind of code is valid only for its own purpose. */
export const NUMBER_CODE_KINDS = ['prove_number', 'change_number'] as const;
export type NumberCodeKind = (typeof NUMBER_CODE_KINDS)[number];
type CodeKind = 'reset_code' | NumberCodeKind;

/** Refers to the code by its request, so that neither the queue nor a dead letter contains it. */
export type CodeJob = { kind: CodeKind; requestId: string; language: Language };

/** Notifies the creator of a community of the decision. The caller chooses `messageId`; only one message is sent per id. */
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
