import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SendingStatus } from '#contract/channels.ts';
import type { NumberCodeKind } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import type { PasskeyPurpose, PasskeyTransport } from '#contract/passkeys.ts';
import type { ProofOutcome } from '#contract/recovery.ts';

// Times are integer milliseconds. Foreign keys do not cascade, because D1 also runs cascades while a migration rebuilds
// the parent table. Instead, the batch that deletes a row also deletes its dependent rows.
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    username: text('username').notNull(),
    email: text('email').notNull(),
    /** The e-mail address in lower case, in Unicode's form NFC. */
    emailKey: text('email_key').notNull().unique(),
    /** When a link proved the e-mail address; null if the address is unproven or an e-mail to it has bounced. */
    emailProvenAt: integer('email_proven_at'),
    /** The scheme and host of the app's URL when the address was proven. Links in e-mails begin with them. */
    emailOrigin: text('email_origin'),
    passwordHash: text('password_hash').notNull(),
    /** Raised by a password reset, among other events. Tokens with a lower version are revoked. */
    tokenVersion: integer('token_version').notNull().default(1),
    isPlatformAdmin: integer('is_platform_admin', { mode: 'boolean' }).notNull().default(false),
    /** When the person became a platform admin; null if they are not one. */
    platformAdminSince: integer('platform_admin_since'),
    createdAt: integer('created_at').notNull(),
    /** Since when the person is suspended; null if they are not. */
    suspendedAt: integer('suspended_at'),
    /** The reason as shown to the person; null if not suspended. */
    suspensionReason: text('suspension_reason'),
    /** When the account was closed. From then on the account waits for its erasure. Null while the account is open. */
    closedAt: integer('closed_at'),
    /** The language of messages to the person; initially that of the registration. */
    language: text('language').$type<Language>().notNull().default('en'),
  },
  (table) => [
    index('users_who_run_the_platform').on(table.id).where(sql`is_platform_admin`),
    index('users_by_name').on(sql`username collate nocase`),
  ],
);

/**
 * The accounts' WhatsApp numbers. A number belongs to one account: if another account proves that the number is theirs,
 * the row moves to that account, and the first account has no number.
 */
export const phoneNumbers = sqliteTable('phone_numbers', {
  /** The phone number in E.164. */
  number: text('number').primaryKey(),
  userId: text('user_id')
    .notNull()
    .unique()
    .references(() => users.id),
  /** When the phone number was last proven; null if it was only stated. */
  provenAt: integer('proven_at'),
});

/**
 * Signed-in devices: one row per session, with the session's id. The row of an ended session stays until the session's
 * last token has expired: without the row, that token would still be valid.
 */
export const devices = sqliteTable(
  'devices',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The device's name, such as "Chrome, Android"; empty after the session has ended. */
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When the session was last used, accurate to the hour. */
    lastSeenAt: integer('last_seen_at').notNull(),
    endedAt: integer('ended_at'),
    /**
     * When the session's sockets were closed. The scheduled sweep closes the sockets of an ended session that lacks
     * this time.
     */
    closedAt: integer('closed_at'),
  },
  (table) => [
    index('devices_by_user').on(table.userId, table.createdAt),
    index('devices_by_use').on(table.lastSeenAt),
    index('devices_ended').on(table.endedAt).where(sql`ended_at is not null`),
    index('devices_to_close').on(table.endedAt).where(sql`ended_at is not null and closed_at is null`),
  ],
);

/** Links that prove an e-mail address, one per account: a new link replaces the previous one. */
export const emailLinks = sqliteTable(
  'email_links',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    /**
     * The link's id. The queue's job contains this id instead of the token, which is derived from the id and the
     * Worker's secret (email/prove-email.ts).
     */
    id: text('id').notNull().unique(),
    email: text('email').notNull(),
    /** The same form of the address as `users.email_key`. */
    emailKey: text('email_key').notNull(),
    tokenDigest: text('token_digest').notNull().unique(),
    /** The app's origin when the link was requested. */
    origin: text('origin').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('email_links_by_age').on(table.createdAt)],
);

/** The platform admins' second factor (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** The credential's id, in base64url. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The public key in the COSE format, as base64url. */
    publicKey: text('public_key').notNull(),
    /**
     * The authenticator's count of the passkey's uses, or 0 if the authenticator does not count. If a count above 0
     * does not grow with the next use, the passkey has been cloned.
     */
    counter: integer('counter').notNull(),
    transports: text('transports', { mode: 'json' }).$type<PasskeyTransport[]>().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('passkeys_by_user').on(table.userId)],
);

/** Challenges for passkeys, one per person and purpose, each valid once. */
export const passkeyChallenges = sqliteTable(
  'passkey_challenges',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    purpose: text('purpose').$type<PasskeyPurpose>().notNull(),
    challenge: text('challenge').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    index('passkey_challenges_by_end').on(table.expiresAt),
  ],
);

/** The sessions in which a person has used a passkey. Until `expiresAt`, the session need not use one again. */
export const stepUps = sqliteTable(
  'step_ups',
  {
    sessionId: text('session_id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    passkeyId: text('passkey_id').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('step_ups_by_passkey').on(table.passkeyId), index('step_ups_by_end').on(table.expiresAt)],
);

/**
 * Codes that prove a phone number, with the state of the WhatsApp message that sends the code. Only the latest code of
 * each kind and subject is valid.
 */
export const numberCodes = sqliteTable(
  'number_codes',
  {
    /** The code is derived from this id and the Worker's secret (identity/codes.ts). */
    id: text('id').primaryKey(),
    kind: text('kind').$type<NumberCodeKind>().notNull(),
    /**
     * The subject of the request: a phone number or, if a signed-in person changes their number, the person's account.
     */
    subject: text('subject').notNull(),
    /** The recipient's phone number, in E.164. */
    number: text('number').notNull(),
    codeDigest: text('code_digest').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    issuedAt: integer('issued_at').notNull(),
    /** The account that used the code to get the phone number; null while the code is unused. */
    usedBy: text('used_by'),
    language: text('language').$type<Language>().notNull(),
    status: text('status').$type<SendingStatus>().notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    errorCode: integer('error_code'),
    wamid: text('wamid'),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('number_codes_by_subject').on(table.kind, table.subject, table.issuedAt),
    index('number_codes_by_age').on(table.issuedAt),
  ],
);

/** Proofs of phone numbers by a message that the number's holder sends us. */
export const numberProofs = sqliteTable(
  'number_proofs',
  {
    id: text('id').primaryKey(),
    secretDigest: text('secret_digest').notNull(),
    /** The phone number to prove, in E.164. The message must come from this number. */
    number: text('number').notNull(),
    /** The digest of the message's whole text. */
    textDigest: text('text_digest').notNull().unique(),
    status: text('status').$type<ProofOutcome>().notNull().default('waiting'),
    createdAt: integer('created_at').notNull(),
    provenAt: integer('proven_at'),
    /** The account that used the proof to get the phone number; null while the proof is unused. */
    usedBy: text('used_by'),
  },
  (table) => [index('number_proofs_by_age').on(table.createdAt)],
);

/** Closed accounts. The row is deleted last, when everything else is erased. */
export const erasures = sqliteTable(
  'erasures',
  {
    userId: text('user_id').primaryKey(),
    /**
     * The earliest time of the erasure: when the account was closed, or later if the person was suspended or reported,
     * because admins then still need to see the account.
     */
    eraseAt: integer('erase_at').notNull(),
    /** When the scheduled sweep next tries to erase the account. The pause grows after each failure. */
    dueAt: integer('due_at').notNull(),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('erasures_by_due_time').on(table.dueAt)],
);

/** Requests to reset a password, one per phone number: a new request replaces the previous code. */
export const resetCodes = sqliteTable(
  'reset_codes',
  {
    /** A fingerprint of the phone number, so that the numbers that people try are not stored. */
    numberKey: text('number_key').primaryKey(),
    /**
     * The request's id. The queue's job contains this id instead of the code, which is derived from the id and the
     * Worker's secret (identity/codes.ts).
     */
    requestId: text('request_id').notNull().unique(),
    /** The account with the phone number. Null if there is none: then nothing is sent, and every code is wrong. */
    userId: text('user_id').references(() => users.id),
    /**
     * The HMAC of the phone number and the code. The code itself is never stored. One statement compares a guess with
     * the HMAC and, if the guess is wrong, counts it.
     */
    codeDigest: text('code_digest').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    issuedAt: integer('issued_at').notNull(),
    /**
     * The code of a new request whose job the queue has not accepted yet. Until the queue accepts the job, the previous
     * code stays valid.
     */
    nextRequestId: text('next_request_id'),
    nextCodeDigest: text('next_code_digest'),
    nextIssuedAt: integer('next_issued_at'),
    verifiedAt: integer('verified_at'),
    usedAt: integer('used_at'),
  },
  (table) => [
    index('reset_codes_by_age').on(table.issuedAt),
    index('reset_codes_by_user').on(table.userId).where(sql`user_id is not null`),
    index('reset_codes_by_next_request').on(table.nextRequestId).where(sql`next_request_id is not null`),
  ],
);
