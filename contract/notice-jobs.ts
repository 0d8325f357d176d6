import type { Language } from './language.ts';

// What a person's mailbox hands to the queues when a notice has waited long enough. Every job may come twice: its id names
// the message, so that whoever sends it knows a second one (WhatsApp, e-mail), or the browser puts it over the first (push).

/** One notice to one of the person's browsers. What it says is read when it is sent. */
export type PushJob = {
  kind: 'push';
  userId: string;
  noticeId: string;
  subscriptionId: string;
  /** It comes in the person's quiet hours. */
  isSilent: boolean;
};

type WaitingNoticesJob = {
  /** Unique: one message is sent an id. It is the id of the first notice. */
  messageId: string;
  userId: string;
  /** What the message is about, oldest first: one, but after quiet hours as many as waited, of which the first ones are named. */
  noticeIds: string[];
  /** How many wait in all. */
  waiting: number;
  /** In which the person is written to. */
  language: Language;
};

/** One WhatsApp message. */
export type NoticeWhatsappJob = WaitingNoticesJob & { kind: 'match_notice' };

/** One e-mail. */
export type NoticeEmailJob = WaitingNoticesJob & { kind: 'notice' };

/** The link that is to prove an e-mail: named by its id, so that neither queue nor dead letter holds what opens it. */
export type EmailLinkJob = { kind: 'confirm_email'; linkId: string };

/** What the e-mails' queue carries. */
export type EmailJob = NoticeEmailJob | EmailLinkJob;
