import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DeliveryStatus, EmailKind, LocalEmailContent, SendingStatus } from '#contract/channels.ts';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import type { Confidence } from '#contract/posts.ts';
import { users } from './people.ts';

/** E-mails that the queue's consumer has reserved, with their state. */
export const emailMessages = sqliteTable(
  'email_messages',
  {
    /**
     * The id in the queue's job. It identifies the message or, for a link that proves an e-mail address, the row of
     * `email_links`.
     */
    id: text('id').primaryKey(),
    kind: text('kind').$type<EmailKind>().notNull(),
    recipientId: text('recipient_id')
      .notNull()
      .references(() => users.id),
    status: text('status').$type<SendingStatus>().notNull(),
    attempts: integer('attempts').notNull(),
    /** The error code of the last failure, from Cloudflare's e-mail service. */
    errorCode: text('error_code'),
    /** The whole e-mail, to list it on a developer's machine, where no e-mail is sent; null elsewhere. */
    content: text('content', { mode: 'json' }).$type<LocalEmailContent>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('email_messages_by_age').on(table.createdAt)],
);

/** Meta's ids of the incoming messages that were handled. A message that Meta delivers again is ignored. */
export const whatsappIncoming = sqliteTable(
  'whatsapp_incoming',
  { id: text('id').primaryKey(), receivedAt: integer('received_at').notNull() },
  (table) => [index('whatsapp_incoming_by_age').on(table.receivedAt)],
);

/** How a person wants to be notified when no page is open. A person without a row has the default settings. */
export const noticeSettings = sqliteTable('notice_settings', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  push: integer('push', { mode: 'boolean' }).notNull(),
  whatsapp: integer('whatsapp', { mode: 'boolean' }).notNull(),
  email: integer('email', { mode: 'boolean' }).notNull(),
  /** The start and end of quiet hours, such as "21:00", in Africa/Dar_es_Salaam; both null without quiet hours. */
  quietFrom: text('quiet_from'),
  quietTo: text('quiet_to'),
});

/** Web Push subscriptions (RFC 8030). The last person to store a browser's subscription owns this subscription. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** The push service's URL for the subscription. */
    endpoint: text('endpoint').primaryKey(),
    /** The subscription's id in queued jobs. */
    id: text('id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /**
     * The session that stored the subscription. Signing out deletes the subscription; the expiry of the session does
     * not.
     */
    sessionId: text('session_id').notNull(),
    /** The browser's public key and authentication secret, in base64url (RFC 8291). */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    putAt: integer('put_at').notNull(),
  },
  (table) => [
    index('push_subscriptions_by_user').on(table.userId, table.putAt),
    index('push_subscriptions_by_session').on(table.sessionId),
  ],
);

/** Pushes from the dead-letter queue. They were given up after their last attempt. */
export const pushDeadLetters = sqliteTable(
  'push_dead_letters',
  {
    /** The id of the queue's message. */
    id: text('id').primaryKey(),
    noticeId: text('notice_id').notNull(),
    recordedAt: integer('recorded_at').notNull(),
  },
  (table) => [index('push_dead_letters_by_age').on(table.recordedAt)],
);

/** Notices. This table is the source of truth. The recipient's mailbox stores a copy, from which the notice is sent. */
export const notices = sqliteTable(
  'notices',
  {
    id: text('id').primaryKey(),
    recipientId: text('recipient_id')
      .notNull()
      .references(() => users.id),
    type: text('type').$type<LiveMessage['type']>().notNull(),
    /** For matching_post: the id of the matched pair. Null once a newer notice about the pair has replaced this one. */
    pairId: text('pair_id'),
    /** For matching_post: the confidence of the match when the notice was created. */
    confidence: text('confidence').$type<Confidence>(),
    /**
     * The recipient's own post: one of the two posts of a pair, or the subject of the question "Are you still
     * looking?".
     */
    yourPostId: text('your_post_id'),
    /** For matching_post: the other post of the pair. */
    postId: text('post_id'),
    claimId: text('claim_id'),
    /**
     * The message as JSON, so that the message survives when the rows that it describes are deleted. Null for matches
     * and claims, whose notices are made from the current rows.
     */
    body: text('body'),
    createdAt: integer('created_at').notNull(),
    /**
     * For matching_post: 1 for the recipient's first notice of the day that has a phone number, 2 for the second, and
     * so on. Above a daily limit, the phone number is not shown. 0 if this notice has no phone number.
     */
    placeInDay: integer('place_in_day'),
    /**
     * When the recipient's mailbox received the notice or, if the notice was withdrawn, the withdrawal. While this
     * column is null, the scheduled sweep tries to deliver the notice or withdrawal.
     */
    deliveredAt: integer('delivered_at'),
    /**
     * The time at which the scheduled sweep next tries to deliver the notice; 0 before the first try. Each failure
     * lengthens the pause before the next try.
     */
    deliveryDueAt: integer('delivery_due_at').notNull().default(0),
    deliveryFailures: integer('delivery_failures').notNull().default(0),
    readAt: integer('read_at'),
    // When each of the following events first happened; null until then.
    /** An open page has shown the notice. */
    acknowledgedAt: integer('acknowledged_at'),
    /** A push service, Meta or the e-mail service has accepted the notice. */
    pushedAt: integer('pushed_at'),
    whatsappAt: integer('whatsapp_at'),
    emailedAt: integer('emailed_at'),
    /** The recipient has dismissed the match ("not this one"). */
    dismissedAt: integer('dismissed_at'),
  },
  (table) => [
    // The index for the weekly statistics, and for finding old notices to delete.
    index('notices_by_age').on(table.createdAt, table.type),
    index('notices_by_recipient').on(table.recipientId, table.createdAt),
    index('notices_by_pair').on(table.pairId),
    index('notices_by_post').on(table.postId),
    index('notices_by_claim').on(table.claimId).where(sql`claim_id is not null`),
    index('notices_by_your_post').on(table.yourPostId),
    index('notices_to_deliver').on(table.deliveryDueAt, table.createdAt).where(sql`delivered_at is null`),
    index('notices_waiting').on(table.recipientId).where(sql`delivered_at is null`),
    index('notices_unread').on(table.recipientId).where(sql`read_at is null`),
  ],
);

/**
 * WhatsApp messages that the queue has not accepted yet. The batch that writes an event also writes its message here,
 * so that a crash loses no message. The scheduled sweep queues the messages that remain.
 */
export const whatsappOutbox = sqliteTable(
  'whatsapp_outbox',
  {
    messageId: text('message_id').primaryKey(),
    recipientId: text('recipient_id').references(() => users.id),
    job: text('job', { mode: 'json' }).$type<WhatsappJob>().notNull(),
    createdAt: integer('created_at').notNull(),
    /** When the scheduled sweep next tries to queue the message. The pause grows after each failure. */
    dueAt: integer('due_at').notNull(),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('whatsapp_outbox_by_due_time').on(table.dueAt)],
);

/**
 * Messages that the queue's consumer has reserved before sending them, so that it recognises a job that the queue
 * delivers again.
 */
export const whatsappMessages = sqliteTable(
  'whatsapp_messages',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<WhatsappJob['kind']>().notNull(),
    recipientId: text('recipient_id')
      .notNull()
      .references(() => users.id),
    language: text('language').$type<Language>().notNull(),
    status: text('status').$type<SendingStatus>().notNull(),
    attempts: integer('attempts').notNull(),
    /** Meta's error code of the last failure; null if Meta gave no code, as for a broken connection. */
    errorCode: integer('error_code'),
    /** Meta's id of the message; null until Meta has accepted the message. */
    wamid: text('wamid'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('whatsapp_messages_by_age').on(table.createdAt)],
);

/** A person's latest STOP or START message. An older STOP or START that arrives late is ignored. */
export const whatsappWords = sqliteTable('whatsapp_words', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Meta's id of the message with STOP or START. */
  messageId: text('message_id').notNull(),
  isOn: integer('is_on', { mode: 'boolean' }).notNull(),
  sentAt: integer('sent_at').notNull(),
});

/**
 * The phone numbers to which we send WhatsApp messages: one row per number and day. `day` is the day in Tanzania,
 * counted from 1970. Meta limits how many different numbers get messages in a day.
 */
export const whatsappRecipients = sqliteTable(
  'whatsapp_recipients',
  {
    day: integer('day').notNull(),
    /** The phone number in E.164. */
    number: text('number').notNull(),
    /** The purpose of the message. Each purpose has a share of the daily limit (whatsapp/recipients.ts). */
    share: text('share').notNull(),
    /** The id of the latest message to this number; null once Meta has accepted a message to the number. */
    messageId: text('message_id'),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.number] }),
    index('whatsapp_recipients_by_message').on(table.messageId).where(sql`message_id is not null`),
  ],
);

/**
 * Meta's delivery reports. They have their own table, because a report may arrive before the request that sends the
 * message has returned.
 */
export const whatsappDeliveries = sqliteTable(
  'whatsapp_deliveries',
  {
    wamid: text('wamid').primaryKey(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    /**
     * The status's index in `DELIVERY_STATUSES`. Meta's reports arrive in any order: only a report with a higher rank
     * replaces the stored status.
     */
    rank: integer('rank').notNull(),
    errorCode: integer('error_code'),
    reportedAt: integer('reported_at').notNull(),
  },
  (table) => [index('whatsapp_deliveries_by_age').on(table.reportedAt)],
);

/**
 * Pauses of sending, after Meta has refused a WhatsApp message. `channel` is the key of the paused messages: all
 * messages, or only those with one template (`channelOf` in whatsapp/take-message.ts).
 */
export const whatsappPauses = sqliteTable('whatsapp_pauses', {
  channel: text('channel').primaryKey(),
  until: integer('until').notNull(),
  errorCode: integer('error_code').notNull(),
});

/** WhatsApp messages from the dead-letter queue. They were given up after their last attempt. */
export const whatsappDeadLetters = sqliteTable(
  'whatsapp_dead_letters',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<WhatsappJob['kind']>().notNull(),
    recordedAt: integer('recorded_at').notNull(),
  },
  (table) => [index('whatsapp_dead_letters_by_age').on(table.recordedAt)],
);
