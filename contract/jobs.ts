import type { Language } from './language.ts';

/** The channels that reach a user who has no page open, in the order in which they are tried. */
export const CHANNELS = ['push', 'whatsapp', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * Why a notice was or was not sent on a channel, as the user's mailbox stores it. `full`: the day's limit of messages
 * is used up. For all other outcomes see `CHANNEL_RULES` in `durable/channel-rules.ts`.
 */
export type TurnOutcome = 'ended' | 'absent' | 'unwanted' | 'phone_lost' | 'asleep' | 'awake' | 'full';

/** The longest delay that a queue supports. */
export const QUEUE_DELAY_MAX_SECONDS = 12 * 60 * 60;

// A user's mailbox queues the jobs about notices when a notice was not read in time. A queue may deliver a job twice,
// so an id in the job identifies the message: the WhatsApp and e-mail consumers ignore the second delivery, and a
// browser replaces the first push with the second.

/**
 * The push of one notice to one of the user's browsers. Contains only ids: the consumer loads the notice from the
 * database.
 */
export type PushJob = {
  kind: 'push';
  userId: string;
  noticeId: string;
  subscriptionId: string;
  /** Whether the push is sent during the user's quiet hours, and so makes no sound. */
  isSilent: boolean;
};

type WaitingNoticesJob = {
  /** The id of the first notice. At most one message is sent for each id. */
  messageId: string;
  userId: string;
  /**
   * The ids of the notices in the message, oldest first. Only the message after quiet hours contains several notices.
   */
  noticeIds: string[];
  /** How many notices the message is about. `noticeIds` may list only the oldest ones. */
  waiting: number;
  language: Language;
};

/** A job to send one WhatsApp message about notices. */
export type NoticeWhatsappJob = WaitingNoticesJob & { kind: 'match_notice' };

/** A job to send one e-mail about notices. */
export type NoticeEmailJob = WaitingNoticesJob & { kind: 'notice' };

/** An e-mail with a link. Contains the link's id, because queues and dead letters must not contain the link's token. */
export type EmailLinkJob = { kind: 'confirm_email'; linkId: string };

export type EmailJob = NoticeEmailJob | EmailLinkJob;

/** A job with its channel, as the person's mailbox stores it until the channel's queue has accepted it. */
export type OutgoingJob =
  | { channel: 'push'; job: PushJob }
  | { channel: 'whatsapp'; job: NoticeWhatsappJob }
  | { channel: 'email'; job: NoticeEmailJob };

/** The purposes of verification codes. A code is valid only for its own purpose. */
export const NUMBER_CODE_KINDS = ['prove_number', 'change_number'] as const;
export type NumberCodeKind = (typeof NUMBER_CODE_KINDS)[number];
type CodeKind = 'reset_code' | NumberCodeKind;

/**
 * The job of a WhatsApp message with a reset code or verification code. The job contains the id of the request for the
 * code instead of the code, because a queue must not contain codes.
 */
export type CodeJob = { kind: CodeKind; requestId: string; language: Language };

/**
 * Notifies the person who requested a community, or a community's new name, that the request was approved or rejected.
 * Only one of several jobs with the same `messageId` is sent.
 */
export type CommunityDecisionJob = {
  kind: 'community_decision';
  messageId: string;
  recipientId: string;
  communityName: string;
  outcome: 'approved' | 'rejected';
  language: Language;
};

/** A WhatsApp message that confirms a user's STOP or START message. */
export type WordAnswerJob = {
  kind: 'stopped' | 'started';
  messageId: string;
  recipientId: string;
  language: Language;
};

/** A WhatsApp message to send. A dead letter has the same content. */
export type WhatsappJob = CodeJob | CommunityDecisionJob | NoticeWhatsappJob | WordAnswerJob;

/** Queued at intervals by the cron, to test the queue: `GET /api/health` checks that the job arrives. */
export type HeartbeatJob = { kind: 'heartbeat' };

/** A job on the WhatsApp queue. */
export type QueueJob = WhatsappJob | HeartbeatJob;
