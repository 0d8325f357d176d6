import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ClaimRole, ClaimState, HistoryStep } from '#contract/claims.ts';
import type { MemberRole } from '#contract/communities.ts';
import type { EmailKind, LocalEmailContent } from '#contract/email.ts';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import type { Confidence, MatchAnswer } from '#contract/matching.ts';
import type { CaseStatus, Decision, LoggedAction, LoggedTarget } from '#contract/moderation.ts';
import type { ProofOutcome } from '#contract/numbers.ts';
import type { Switch } from '#contract/operating.ts';
import type { PasskeyPurpose, PasskeyTransport } from '#contract/passkeys.ts';
import type { Contact, Outcome, PostedBy, PostKind } from '#contract/posts.ts';
import type { ReportReason } from '#contract/report-reasons.ts';
import type { DeliveryStatus, NumberCodeKind, SendingStatus, WhatsappJob } from '#contract/whatsapp.ts';

// Times are integer milliseconds. Foreign keys do not cascade, because D1 runs cascades even while a migration rebuilds the
// parent table: dependent rows are deleted in the same batch.

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    username: text('username').notNull(),
    email: text('email').notNull(),
    /** The folded e-mail, which is unique. */
    emailKey: text('email_key').notNull().unique(),
    /** When the e-mail was proven by a link; null if it was not, or after it has bounced. */
    emailProvenAt: integer('email_proven_at'),
    /** The app's origin at that time, for the links in e-mails. */
    emailOrigin: text('email_origin'),
    passwordHash: text('password_hash').notNull(),
    /** Raised by a password reset, among others; tokens with a lower version are revoked. */
    tokenVersion: integer('token_version').notNull().default(1),
    isPlatformAdmin: integer('is_platform_admin', { mode: 'boolean' }).notNull().default(false),
    /** When they became one; null if they are none. */
    platformAdminSince: integer('platform_admin_since'),
    createdAt: integer('created_at').notNull(),
    /** Since when they are suspended; null if they are not. */
    suspendedAt: integer('suspended_at'),
    /** The reason, as shown to them; null if not suspended. */
    suspensionReason: text('suspension_reason'),
    /** When the account was closed and began to wait for its erasure; null while it is open. */
    closedAt: integer('closed_at'),
    /** The language of messages to the person; initially that of the registration. */
    language: text('language').$type<Language>().notNull().default('en'),
  },
  (table) => [
    index('users_who_run_the_platform').on(table.id).where(sql`is_platform_admin`),
    index('users_by_name').on(sql`username collate nocase`),
  ],
);

/** The accounts' WhatsApp numbers. An account whose number somebody else has proven has no row. */
export const phoneNumbers = sqliteTable('phone_numbers', {
  /** E.164. */
  number: text('number').primaryKey(),
  userId: text('user_id')
    .notNull()
    .unique()
    .references(() => users.id),
  /** When the number was last proven; null if it was only stated. */
  provenAt: integer('proven_at'),
});

/**
 * Signed-in devices, one per sign-in, with the session's id. An ended one stays until its last token has expired, as its
 * row is what makes the token invalid.
 */
export const devices = sqliteTable(
  'devices',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** Such as "Chrome, Android"; empty once it has ended. */
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Accurate to the hour. */
    lastSeenAt: integer('last_seen_at').notNull(),
    endedAt: integer('ended_at'),
    /** When its sockets were closed. The sweep closes those of ended devices without it. */
    closedAt: integer('closed_at'),
  },
  (table) => [
    index('devices_by_user').on(table.userId, table.createdAt),
    index('devices_by_use').on(table.lastSeenAt),
    index('devices_ended').on(table.endedAt).where(sql`ended_at is not null`),
    index('devices_to_close').on(table.endedAt).where(sql`ended_at is not null and closed_at is null`),
  ],
);

/** Links that prove an e-mail, one per account: a new one replaces the previous one. */
export const emailLinks = sqliteTable(
  'email_links',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    /** Its id on the queue. The link's token is derived from it and the Worker's secret (email/link-rules.ts). */
    id: text('id').notNull().unique(),
    email: text('email').notNull(),
    /** The folded e-mail. */
    emailKey: text('email_key').notNull(),
    tokenDigest: text('token_digest').notNull().unique(),
    /** The app's origin when the link was requested. */
    origin: text('origin').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('email_links_by_age').on(table.createdAt)],
);

/** E-mails that the queue's consumer has claimed, with their state. */
export const emailMessages = sqliteTable(
  'email_messages',
  {
    /** The id of the link or the message. */
    id: text('id').primaryKey(),
    kind: text('kind').$type<EmailKind>().notNull(),
    recipientId: text('recipient_id')
      .notNull()
      .references(() => users.id),
    status: text('status').$type<SendingStatus>().notNull(),
    attempts: integer('attempts').notNull(),
    /** The platform's error code of the last failure. */
    errorCode: text('error_code'),
    /** The whole e-mail, for the list of the local transport; null with others. */
    content: text('content', { mode: 'json' }).$type<LocalEmailContent>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('email_messages_by_age').on(table.createdAt)],
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
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** The authenticator's use counter. If it decreases the passkey has been cloned. */
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

/** The sessions in which a passkey was used, and until when that counts. */
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
 * Codes that prove a number, with the state of their message. Only the latest one of a kind and subject is valid.
 */
export const numberCodes = sqliteTable(
  'number_codes',
  {
    /** The code is derived from it and the Worker's secret (whatsapp/code.ts). */
    id: text('id').primaryKey(),
    kind: text('kind').$type<NumberCodeKind>().notNull(),
    /** What is proven: a number, or, when signed in, the account that will get the number. */
    subject: text('subject').notNull(),
    /** The recipient, in E.164. */
    number: text('number').notNull(),
    codeDigest: text('code_digest').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    issuedAt: integer('issued_at').notNull(),
    /** The account that used it to get the number; null while it is unused. */
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

/** Proofs of numbers by a message that their holder sends us. */
export const numberProofs = sqliteTable(
  'number_proofs',
  {
    id: text('id').primaryKey(),
    secretDigest: text('secret_digest').notNull(),
    /** The number to prove, in E.164: the message must come from it. */
    number: text('number').notNull(),
    /** The digest of the message's whole text. */
    textDigest: text('text_digest').notNull().unique(),
    status: text('status').$type<ProofOutcome>().notNull().default('waiting'),
    createdAt: integer('created_at').notNull(),
    provenAt: integer('proven_at'),
    /** The account that used it to get the number; null while it is unused. */
    usedBy: text('used_by'),
  },
  (table) => [index('number_proofs_by_age').on(table.createdAt)],
);

/** Meta's ids of handled incoming messages, so that redelivered ones are ignored. */
export const whatsappIncoming = sqliteTable(
  'whatsapp_incoming',
  { id: text('id').primaryKey(), receivedAt: integer('received_at').notNull() },
  (table) => [index('whatsapp_incoming_by_age').on(table.receivedAt)],
);

export const communities = sqliteTable(
  'communities',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** Folded name and description, for search. */
    searchText: text('search_text').notNull(),
    /** Public: identifies the community in posts, but lets nobody in. */
    communityCode: text('community_code').notNull().unique(),
    /** Secret: it lets people in. */
    accessCode: text('access_code').notNull().unique(),
    approvalStatus: integer('approval_status').notNull().default(0),
    creatorId: text('creator_id')
      .notNull()
      .references(() => users.id),
    /** The language of the creator's request. Messages to them use their account's. */
    creatorLanguage: text('creator_language').$type<Language>().notNull().default('en'),
    createdAt: integer('created_at').notNull(),
    /** Maintained by triggers on memberships, so that no list has to count them. */
    memberCount: integer('member_count').notNull().default(0),
    /** Whether strangers can find it and ask to join. */
    isListed: integer('is_listed', { mode: 'boolean' }).notNull().default(true),
    /** A new name that waits for approval, who asked for it, and when; null if there is none. */
    pendingName: text('pending_name'),
    pendingNameBy: text('pending_name_by').references(() => users.id),
    pendingNameAt: integer('pending_name_at'),
    /** When it closes; until then that can be cancelled. Null if it is not closing. */
    closesAt: integer('closes_at'),
    /** Since when it is closed and empty. Triggers on posts delete the row with its last post. */
    closedAt: integer('closed_at'),
    /** Since when the platform's admins have suspended it, and why; null if they have not. */
    suspendedAt: integer('suspended_at'),
    suspensionReason: text('suspension_reason'),
  },
  (table) => [
    index('communities_by_status').on(table.approvalStatus, table.createdAt, table.id),
    index('communities_listed')
      .on(table.createdAt, table.id)
      .where(
        sql`approval_status = 1 and is_listed = 1 and closes_at is null and suspended_at is null and member_count > 0`,
      ),
    // The queue of the platform's admins.
    index('communities_to_decide')
      .on(sql`case when pending_name_at is null then created_at else pending_name_at end`, table.id)
      .where(sql`approval_status = 0 or pending_name is not null`),
    index('communities_by_creator').on(table.creatorId),
    index('communities_by_asker').on(table.pendingNameBy).where(sql`pending_name_by is not null`),
    index('communities_to_close').on(table.closesAt).where(sql`closes_at is not null and closed_at is null`),
    index('communities_closed').on(table.closedAt).where(sql`closed_at is not null`),
  ],
);

export const memberships = sqliteTable(
  'memberships',
  {
    communityId: text('community_id')
      .notNull()
      .references(() => communities.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').$type<MemberRole>().notNull(),
    joinedAt: integer('joined_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.communityId, table.userId] }),
    index('memberships_by_user').on(table.userId),
    index('memberships_by_joining').on(table.communityId, table.joinedAt, table.userId),
    index('memberships_of_admins').on(table.communityId, table.joinedAt, table.userId).where(sql`role = 'admin'`),
  ],
);

/** People who were removed from a community and may not rejoin for a while. */
export const communityRemovals = sqliteTable(
  'community_removals',
  {
    communityId: text('community_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    removedAt: integer('removed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.communityId, table.userId] }),
    index('community_removals_by_user').on(table.userId),
    index('community_removals_by_age').on(table.removedAt),
  ],
);

/** Requests to join a community. A declined person may ask again only once the row is old enough. */
export const joinRequests = sqliteTable(
  'join_requests',
  {
    id: text('id').notNull().unique(),
    communityId: text('community_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    message: text('message'),
    createdAt: integer('created_at').notNull(),
    /** Null while it is waiting. */
    declinedAt: integer('declined_at'),
  },
  (table) => [
    primaryKey({ columns: [table.communityId, table.userId] }),
    index('join_requests_waiting').on(table.communityId, table.createdAt, table.userId).where(sql`declined_at is null`),
    index('join_requests_by_user').on(table.userId),
    index('join_requests_by_age').on(table.createdAt),
    index('join_requests_declined').on(table.declinedAt).where(sql`declined_at is not null`),
  ],
);

/** Rejections by the platform's admins: of a community, which was deleted, or of a new name. */
export const communityRejections = sqliteTable(
  'community_rejections',
  {
    id: text('id').primaryKey(),
    /** The person who asked. */
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    reason: text('reason').notNull(),
    rejectedAt: integer('rejected_at').notNull(),
  },
  (table) => [
    index('community_rejections_by_user').on(table.userId, table.rejectedAt),
    index('community_rejections_by_age').on(table.rejectedAt),
  ],
);

export const posts = sqliteTable(
  'posts',
  {
    /** The order of posts, the paging key, and the rowid for the search indexes. */
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    communityId: text('community_id').references(() => communities.id),
    title: text('title').notNull(),
    ownerFirstName: text('owner_first_name').notNull(),
    ownerLastName: text('owner_last_name').notNull(),
    location: text('location').notNull(),
    /** Where a found thing is now; null if its finder does not say, and for a lost one. */
    keptAt: text('kept_at'),
    phoneNumber: text('phone_number').notNull(),
    description: text('description').notNull(),
    postedBy: text('posted_by').$type<PostedBy>().notNull(),
    /** The kind, stated by the author or derived from the text. */
    kind: text('kind').$type<PostKind>().notNull(),
    /** The kind as stated by the author; null if it is derived from the text. */
    ownKind: text('own_kind').$type<PostKind>(),
    /** Whether it is posted for somebody else, whose number it has. */
    onBehalf: integer('on_behalf', { mode: 'boolean' }).notNull().default(false),
    /** The question to claimants. */
    claimQuestion: text('claim_question'),
    /** What only the finder knows about it. It is never shown to others, searched or matched. */
    privateMarks: text('private_marks'),
    /** How the author is contacted. */
    contact: text('contact').$type<Contact>().notNull().default('number'),
    isFound: integer('is_found', { mode: 'boolean' }).notNull().default(false),
    /** When it was first marked as found, which can be undone for a while. Null while it is open. */
    foundAt: integer('found_at'),
    /** Since when it is closed, or without an `outcome` resting, and visible only to its author. Null if neither. */
    awaySince: integer('away_since'),
    /** How it ended, as stated by the author; null while it has not. */
    outcome: text('outcome').$type<Outcome>(),
    /** When it was last edited, or last confirmed as still open; null if neither has happened. */
    renewedAt: integer('renewed_at'),
    /** How often its author has been asked since then whether they are still looking. */
    timesAsked: integer('times_asked').notNull().default(0),
    /** JSON of string[]: the sorted digests of its identifiers (posts/identifiers.ts); null for none. */
    identifiers: text('identifiers'),
    /** How often the identifiers were changed since they were first set. */
    identifierChanges: integer('identifier_changes').notNull().default(0),
    /** For a finder's post: the lost post that it answers ("I found this"). */
    answersPostId: text('answers_post_id'),
    /** What hides it, one bit each (posts/visibility.ts); 0 for nothing. */
    hiddenBy: integer('hidden_by').notNull().default(0),
    /** Why it was last hidden: an admin's text, or the most frequent reason of reports. */
    hiddenReason: text('hidden_reason'),
    /** The folded searchable fields (lower case, no diacritics), one per line. Indexed by posts_search. */
    searchText: text('search_text').notNull(),
    /** As search_text, but of what other signed-in people may see; null if that is everything. */
    readerText: text('reader_text'),
    /** As search_text, but of what visitors may see; null for a community's post. Indexed by posts_visitor_search. */
    visitorText: text('visitor_text'),
    /** The version of the rules for these texts (posts/search-texts.ts); the sweep renews older ones. */
    searchVersion: integer('search_version').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /**
     * When the post was created, or a field that matching reads was last changed: the later of two matching posts is
     * the news.
     */
    changedAt: integer('changed_at').notNull().default(0),
    /**
     * Since when the post waits to be matched, or after a failure the time of the next try; null once its pairs are
     * written. The sweep finishes interrupted ones.
     */
    matchPendingSince: integer('match_pending_since'),
    /**
     * How often the sweep has begun to match the post, or to read it again, without finishing; each time it waits longer,
     * and after TRIES_MAX the post is given up until it is edited.
     */
    matchFailures: integer('match_failures').notNull().default(0),
  },
  (table) => [
    index('posts_by_community').on(table.communityId, table.seq),
    // For lists. Most posts are old and away, so they are not in these indexes.
    index('posts_listed').on(table.communityId, table.seq).where(sql`away_since is null`),
    index('posts_by_community_and_kind')
      .on(table.communityId, table.postedBy, table.seq)
      .where(sql`away_since is null`),
    index('posts_by_kind')
      .on(table.communityId, table.kind, table.postedBy, table.isFound, table.seq)
      .where(sql`away_since is null`),
    index('posts_open')
      .on(table.communityId, table.postedBy, table.seq)
      .where(sql`is_found = 0 and away_since is null`),
    index('posts_to_ask')
      .on(table.timesAsked, sql`case when renewed_at is null then created_at else renewed_at end`)
      .where(sql`is_found = 0 and away_since is null and hidden_by = 0`),
    index('posts_by_answer').on(table.answersPostId).where(sql`answers_post_id is not null`),
    index('posts_by_search_version').on(table.searchVersion, table.seq),
    // For the weekly statistics.
    index('posts_by_age').on(table.createdAt),
    index('posts_hidden').on(table.seq).where(sql`hidden_by <> 0`),
    index('posts_by_author').on(table.authorId, table.seq),
    index('posts_by_marking').on(table.foundAt).where(sql`found_at is not null`),
    index('posts_to_match').on(table.matchPendingSince).where(sql`match_pending_since is not null`),
  ],
);

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    /** The id of what was created: a post or, for other paths, something else. */
    postId: text('post_id').notNull(),
    /** The digest of the request's body, to recognise another body. */
    bodyDigest: text('body_digest').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);

/** The terms by which open posts are looked up for matching. They are deleted when the post is found or deleted. */
export const matchTerms = sqliteTable(
  'match_terms',
  {
    postedBy: text('posted_by').$type<PostedBy>().notNull(),
    term: text('term').notNull(),
    postSeq: integer('post_seq').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postedBy, table.term, table.postSeq] }),
    index('match_terms_by_post').on(table.postSeq),
  ],
);

/** What matching has read in an open post, so that judging it again need not read it again. */
export const matchReadings = sqliteTable(
  'match_readings',
  {
    postSeq: integer('post_seq').primaryKey(),
    /** The version of the lexicon and rules; the sweep renews older readings. */
    version: text('version').notNull(),
    /** In the format of encodeReading. */
    reading: text('reading').notNull(),
    /** JSON of string[]: values that other posts may share, to count how common they are. */
    agreeable: text('agreeable').notNull(),
  },
  (table) => [index('match_readings_by_version').on(table.version)],
);

/** How many of the newest open posts share a value, out of how many; recounted every hour. */
export const valueShares = sqliteTable('value_shares', {
  value: text('value').primaryKey(),
  share: real('share').notNull(),
  refreshedAt: integer('refreshed_at').notNull(),
});

/** Two posts that surely or possibly describe the same thing. There is only ever one row per pair. */
export const matchPairs = sqliteTable(
  'match_pairs',
  {
    id: text('id').primaryKey(),
    lostPostId: text('lost_post_id').notNull(),
    foundPostId: text('found_post_id').notNull(),
    /** From 0 to 1. */
    score: real('score').notNull(),
    /** JSON of Reason[] (matching/lexicon/word-reasons.ts). */
    reasons: text('reasons').notNull(),
    confidence: text('confidence').$type<Confidence>().notNull().default('sure'),
    /**
     * The notice that is due once the pair is sure; null while it has only been possible. There is only ever one per pair:
     * it stays when the notice is deleted, or was not created because of the author's daily limit. A notice that is made
     * again has a new id.
     */
    noticeId: text('notice_id'),
    createdAt: integer('created_at').notNull(),
    /** When it was last judged. A judgement of texts that were read earlier changes nothing. */
    judgedAt: integer('judged_at').notNull().default(0),
    /** False if the posts no longer match after an edit. The row stays, so that there is only one notice per pair. */
    isCurrent: integer('is_current', { mode: 'boolean' }).notNull().default(true),
    /** Whether both have the same serial, document or plate number: its notices show no phone number. */
    sharesIdentifier: integer('shares_identifier', { mode: 'boolean' }).notNull().default(false),
    /** When either author dismissed its notice. The pair is never shown to either of them again. */
    dismissedAt: integer('dismissed_at'),
    /**
     * The post whose author had an unread notice of the pair that was withdrawn when one of the posts was ended or hidden,
     * or no longer matched. They are notified again when the two match again.
     */
    withdrawnFromPostId: text('withdrawn_from_post_id'),
  },
  (table) => [
    uniqueIndex('match_pairs_once').on(table.lostPostId, table.foundPostId),
    index('match_pairs_by_found_post').on(table.foundPostId),
    index('match_pairs_dismissed').on(table.dismissedAt).where(sql`dismissed_at is not null`),
  ],
);

/** A person's own answer to a pair. */
export const matchAnswers = sqliteTable(
  'match_answers',
  {
    pairId: text('pair_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    answer: text('answer').$type<MatchAnswer>().notNull(),
    answeredAt: integer('answered_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.pairId, table.userId] }),
    index('match_answers_dismissed').on(table.answeredAt).where(sql`answer = 'dismissed'`),
  ],
);

/** How a person wants to be notified when no page is open. There is no row until they change it. */
export const noticeSettings = sqliteTable('notice_settings', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  push: integer('push', { mode: 'boolean' }).notNull(),
  whatsapp: integer('whatsapp', { mode: 'boolean' }).notNull(),
  email: integer('email', { mode: 'boolean' }).notNull(),
  /** Such as "21:00", in Africa/Dar_es_Salaam; both or neither. */
  quietFrom: text('quiet_from'),
  quietTo: text('quiet_to'),
});

/** Web Push subscriptions (RFC 8030). A browser's belongs to the person who stored it last. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** The push service's URL for it. */
    endpoint: text('endpoint').primaryKey(),
    /** Its id in queued jobs. */
    id: text('id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The session in which it was stored. It ends when the session is ended, but not when that only expires. */
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

/** Pushes that were given up, from the dead-letter queue. */
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

/** Notices. D1 is the source of truth, the mailbox delivers them. */
export const notices = sqliteTable(
  'notices',
  {
    id: text('id').primaryKey(),
    recipientId: text('recipient_id')
      .notNull()
      .references(() => users.id),
    type: text('type').$type<LiveMessage['type']>().notNull(),
    /** For matching_post: null once a newer notice has replaced this one. */
    pairId: text('pair_id'),
    /** For matching_post: the confidence at the time of the notice. */
    confidence: text('confidence').$type<Confidence>(),
    /** The recipient's own post: of the pair, or the one that the question is about. */
    yourPostId: text('your_post_id'),
    /** For matching_post: the other post. */
    postId: text('post_id'),
    /** For claim news. */
    claimId: text('claim_id'),
    /** For all other types: the message as JSON, as its rows may be deleted. */
    body: text('body'),
    createdAt: integer('created_at').notNull(),
    /**
     * For matching_post: its position among the recipient's of that day, as only the first ones show a number; 0 for
     * none.
     */
    placeInDay: integer('place_in_day'),
    /**
     * When the recipient's mailbox got the state of this row: it has the message, or has retracted it because the
     * notice is no longer true. The sweep looks for null.
     */
    deliveredAt: integer('delivered_at'),
    /** When the sweep tries next, each time later; 0 before the first try. */
    deliveryDueAt: integer('delivery_due_at').notNull().default(0),
    deliveryFailures: integer('delivery_failures').notNull().default(0),
    readAt: integer('read_at'),
    // When each stage was first reached; null until then.
    /** An open page has shown it. */
    acknowledgedAt: integer('acknowledged_at'),
    /** Accepted by a push service, Meta, or the e-mail service. */
    pushedAt: integer('pushed_at'),
    whatsappAt: integer('whatsapp_at'),
    emailedAt: integer('emailed_at'),
    /** Dismissed as "not this one". */
    dismissedAt: integer('dismissed_at'),
  },
  (table) => [
    // For the weekly statistics, and for deleting old notices.
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
 * Claims on found things, with a copy of the finder's question and marks. Texts are deleted with their author's account;
 * the rest stays for the other person.
 */
export const claims = sqliteTable(
  'claims',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The post's title and kind at that time. The author sees the title unredacted, the claimant as other readers do. */
    postTitle: text('post_title'),
    postKind: text('post_kind').$type<PostKind>().notNull(),
    finderId: text('finder_id').references(() => users.id),
    claimantId: text('claimant_id').references(() => users.id),
    question: text('question'),
    privateMarks: text('private_marks'),
    answer: text('answer'),
    /** The claimant's number. The finder's is that of the post. */
    phoneNumber: text('phone_number'),
    state: text('state').$type<ClaimState>().notNull(),
    /** When a decline takes effect; null unless it can still be undone. */
    declineDueAt: integer('decline_due_at'),
    acceptedAt: integer('accepted_at'),
    handedOverAt: integer('handed_over_at'),
    wrongCodes: integer('wrong_codes').notNull().default(0),
    codeLockedUntil: integer('code_locked_until').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** When the claim last changed for each side, so that neither learns of changes that they must not know of. */
    finderUpdatedAt: integer('finder_updated_at').notNull(),
    claimantUpdatedAt: integer('claimant_updated_at').notNull(),
  },
  (table) => [
    index('claims_by_finder').on(table.finderId, table.finderUpdatedAt, table.id),
    index('claims_by_claimant').on(table.claimantId, table.claimantUpdatedAt, table.id),
    index('claims_by_post').on(table.postId, table.claimantId),
    index('claims_to_decline').on(table.declineDueAt).where(sql`decline_due_at is not null`),
    index('claims_by_age').on(table.createdAt),
  ],
);

/** The steps of claims with their texts. Append-only, but for declines that were undone: the newest of them are kept. */
export const claimSteps = sqliteTable(
  'claim_steps',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    claimId: text('claim_id').notNull(),
    step: text('step').$type<HistoryStep>().notNull(),
    by: text('by').$type<ClaimRole>().notNull(),
    text: text('text'),
    isAboutMoney: integer('is_about_money', { mode: 'boolean' }).notNull().default(false),
    /** Since when each side knows of it; null until then. */
    finderAt: integer('finder_at'),
    claimantAt: integer('claimant_at'),
  },
  (table) => [index('claim_steps_by_claim').on(table.claimId, table.seq)],
);

/** Reports on claims by one of their two people. The reporter's account may be gone. */
export const claimReports = sqliteTable(
  'claim_reports',
  {
    id: text('id').primaryKey(),
    claimId: text('claim_id').notNull(),
    /** Admins see the report in this post's case. */
    postId: text('post_id').notNull(),
    reporterId: text('reporter_id').references(() => users.id),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text'),
    createdAt: integer('created_at').notNull(),
    closedAt: integer('closed_at'),
  },
  (table) => [
    uniqueIndex('claim_reports_once').on(table.claimId, table.reporterId),
    index('claim_reports_by_post').on(table.postId),
    index('claim_reports_by_reporter').on(table.reporterId),
    index('claim_reports_by_age').on(table.createdAt),
  ],
);

/** Who has blocked whom: neither sees the other's posts (posts/visibility.ts). */
export const blocks = sqliteTable(
  'blocks',
  {
    blockerId: text('blocker_id')
      .notNull()
      .references(() => users.id),
    blockedId: text('blocked_id')
      .notNull()
      .references(() => users.id),
    id: text('id').notNull().unique(),
    /** How the blocker recognises them: the title of the post, or the name in the claim. */
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index('blocks_by_blocked').on(table.blockedId),
    index('blocks_by_time').on(table.blockerId, table.createdAt, table.id),
  ],
);

/** Reports on posts. The reporter's account may be gone. */
export const postReports = sqliteTable(
  'post_reports',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The post's author, which is still known once the post is deleted. */
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    reporterId: text('reporter_id').references(() => users.id),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text'),
    /** Whether it counts towards hiding the post, which depends on the reporter at that time. */
    isCounted: integer('is_counted', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** When a platform admin decided. Only open reports count. */
    closedAt: integer('closed_at'),
  },
  (table) => [
    uniqueIndex('post_reports_once').on(table.postId, table.reporterId),
    index('post_reports_by_author').on(table.authorId),
    index('post_reports_by_reporter').on(table.reporterId),
    index('post_reports_by_age').on(table.createdAt),
  ],
);

/** Cases for the platform's admins, open or decided, one per post. */
export const moderationCases = sqliteTable(
  'moderation_cases',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull().unique(),
    status: text('status').$type<CaseStatus>().notNull(),
    /** When it was opened or decided; the sort key of the queue. */
    since: integer('since').notNull(),
    /** Whether the author has edited the post since it was hidden. */
    isEdited: integer('is_edited', { mode: 'boolean' }).notNull().default(false),
    /** Whether an admin has restored the post, so that reports cannot hide it any more. */
    isCleared: integer('is_cleared', { mode: 'boolean' }).notNull().default(false),
    decision: text('decision').$type<Decision>(),
    /** The state before the decision, to undo it; `waitingSinceBefore` is null if the case was not open. */
    waitingSinceBefore: integer('waiting_since_before'),
    isEditedBefore: integer('is_edited_before', { mode: 'boolean' }).notNull().default(false),
    hiddenByBefore: integer('hidden_by_before').notNull().default(0),
    hiddenReasonBefore: text('hidden_reason_before'),
    isClearedBefore: integer('is_cleared_before', { mode: 'boolean' }).notNull().default(false),
    /** When admins are notified of it next; postponed each time. */
    tellDueAt: integer('tell_due_at').notNull(),
    timesTold: integer('times_told').notNull().default(0),
  },
  (table) => [
    index('moderation_cases_by_status').on(table.status, table.since, table.id),
    index('moderation_cases_to_tell').on(table.tellDueAt).where(sql`status = 'open'`),
  ],
);

/** The log of moderation. A trigger makes it append-only. */
export const moderationLog = sqliteTable(
  'moderation_log',
  {
    id: text('id').primaryKey(),
    /** Null if enough reports, a deletion or the command line did it, and once the account is gone. */
    actorId: text('actor_id').references(() => users.id),
    action: text('action').$type<LoggedAction>().notNull(),
    targetType: text('target_type').$type<LoggedTarget>().notNull(),
    /** Null once its person is gone. */
    targetId: text('target_id'),
    reason: text('reason'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('moderation_log_by_time').on(table.createdAt, table.id),
    index('moderation_log_by_actor').on(table.actorId),
    index('moderation_log_by_target').on(table.targetId),
  ],
);

/** Closed accounts. The row is deleted last, when everything else is erased. */
export const erasures = sqliteTable(
  'erasures',
  {
    userId: text('user_id').primaryKey(),
    /** The earliest time of the erasure: suspended or reported accounts are kept for a while for the admins. */
    eraseAt: integer('erase_at').notNull(),
    /** When the sweep tries next, each time later. */
    dueAt: integer('due_at').notNull(),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('erasures_by_due_time').on(table.dueAt)],
);

/**
 * Photos of posts, each with objects in the bucket (worker/photos/renditions.ts). A trigger records deleted ones in
 * `photo_leftovers`.
 */
export const photos = sqliteTable(
  'photos',
  {
    /** Random, so that nobody can guess the addresses, which are made from it. */
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The author of the post. */
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    /** Its position in the post, from 0. */
    position: integer('position').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    alt: text('alt').notNull(),
    /** Whether there is a rendition for link previews, too. */
    hasOg: integer('has_og', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** Since when the post is a document's; null if it is not. Maintained by a trigger on posts. */
    documentSince: integer('document_since'),
  },
  (table) => [
    index('photos_by_post').on(table.postId, table.position),
    index('photos_by_author').on(table.authorId),
    index('photos_of_documents').on(table.documentSince).where(sql`document_since is not null`),
  ],
);

/** Photos whose objects are to be deleted once due. An upload has an entry, too, until its photo is complete. */
export const photoLeftovers = sqliteTable(
  'photo_leftovers',
  { photoId: text('photo_id').primaryKey(), dueAt: integer('due_at').notNull() },
  (table) => [index('photo_leftovers_by_due_time').on(table.dueAt)],
);

/** Weekly exports of the database to the bucket of backups (worker/exports). */
export const databaseExports = sqliteTable('exports', {
  /** The day on which it began, such as "2026-11-22", which is part of its objects' names. */
  day: text('day').primaryKey(),
  begunAt: integer('begun_at').notNull(),
  /** The database's latest migration when the rows were read. */
  migration: text('migration').notNull(),
  /** When its manifest was written. */
  finishedAt: integer('finished_at'),
});

/** The objects that an unfinished export has written so far. They are deleted when its manifest is written. */
export const exportPieces = sqliteTable(
  'export_pieces',
  {
    day: text('day').notNull(),
    tableName: text('table_name').notNull(),
    /** From 0. */
    piece: integer('piece').notNull(),
    rowCount: integer('row_count').notNull(),
    /** The next piece continues after it. */
    lastRowid: integer('last_rowid').notNull(),
    /** The hash of the object, in hex. */
    sha256: text('sha256').notNull(),
    /** Whether the table is complete. */
    isLast: integer('is_last', { mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.tableName, table.piece] })],
);

/**
 * Erased accounts that are not yet listed in the bucket of backups, so that no restore brings them back
 * (worker/exports/erased.ts).
 */
export const erasedPeople = sqliteTable('erased_people', {
  /** The SHA-256 of the id, in hex. */
  digest: text('digest').primaryKey(),
  erasedAt: integer('erased_at').notNull(),
});

/** Fingerprints of the numbers and e-mails of deleted suspended accounts, which cannot be used to register. */
export const barredKeys = sqliteTable(
  'barred_keys',
  { key: text('key').primaryKey(), endsAt: integer('ends_at').notNull() },
  (table) => [index('barred_keys_by_end').on(table.endsAt)],
);

/** Always empty: its check constraint fails batches that write with a revoked token (`writeAs`). */
export const tokenChecks = sqliteTable('token_checks', { isValid: integer('is_valid').notNull() }, () => [
  check('token_is_valid', sql`is_valid`),
]);

/** Always empty, like `token_checks`: fails batches of people who may not publish or decide (`publishAs`). */
export const standingChecks = sqliteTable(
  'standing_checks',
  {
    isSuspended: integer('is_suspended', { mode: 'boolean' }).notNull(),
    lacksNumber: integer('lacks_number', { mode: 'boolean' }).notNull(),
    lacksRole: integer('lacks_role', { mode: 'boolean' }).notNull().default(false),
  },
  () => [
    check('is_not_suspended', sql`not is_suspended`),
    check('has_number', sql`not lacks_number`),
    check('has_role', sql`not lacks_role`),
  ],
);

/** When a recurring event last happened. A migration inserts the queue's row. */
export const heartbeats = sqliteTable('heartbeats', {
  name: text('name').primaryKey(),
  beatAt: integer('beat_at').notNull(),
});

/** The features that a platform admin has switched off. */
export const switchedOff = sqliteTable('switched_off', {
  name: text('name').$type<Switch>().primaryKey(),
  since: integer('since').notNull(),
});

/** Rate counters, one per subject and window; see limits/allowance.ts. */
export const rateCounters = sqliteTable(
  'rate_counters',
  {
    subject: text('subject').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: integer('window_ends_at').notNull(),
  },
  (table) => [index('rate_counters_by_end').on(table.windowEndsAt)],
);

/** The posts whose numbers a reader was shown in a day, in one row per reader and day; see posts/number-store.ts. */
export const givenNumbers = sqliteTable(
  'given_numbers',
  {
    /** A person's id, or the fingerprint of a network's address. */
    readerId: text('reader_id').notNull(),
    dayEndsAt: integer('day_ends_at').notNull(),
    /** The posts' `seq` as `,12,15,`, so that looking one up does not read a row per post. */
    postSeqs: text('post_seqs').notNull().default(','),
    postCount: integer('post_count').notNull().default(0),
    /** How many match notices they got that day. Maintained by a trigger on notices, which sets `place_in_day`. */
    noticeCount: integer('notice_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.readerId, table.dayEndsAt] }),
    index('given_numbers_by_end').on(table.dayEndsAt),
  ],
);

export const feedback = sqliteTable(
  'feedback',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    email: text('email').notNull(),
    message: text('message').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When an admin marked it as done; null while it is open. */
    doneAt: integer('done_at'),
  },
  (table) => [
    index('feedback_by_age').on(table.createdAt),
    index('feedback_open').on(table.seq).where(sql`done_at is null`),
  ],
);

/** Requests to reset a password, one per number: a new request replaces the previous code. */
export const resetCodes = sqliteTable(
  'reset_codes',
  {
    /** A fingerprint, so that the numbers that people try are not stored. */
    numberKey: text('number_key').primaryKey(),
    /** Its id on the queue. The code is derived from it and the Worker's secret (whatsapp/code.ts). */
    requestId: text('request_id').notNull().unique(),
    /** Null for a number without an account: nothing is sent, and no code is right. */
    userId: text('user_id').references(() => users.id),
    /** HMAC of number and code, so that one statement can check and count a guess. */
    codeDigest: text('code_digest').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    issuedAt: integer('issued_at').notNull(),
    /** A request that the queue has not accepted yet; until then the previous code stays valid. */
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

/**
 * Messages that the queue has not accepted yet, written in the same batch as what they are about, so that a crash never
 * loses one. The sweep queues the rest.
 */
export const whatsappOutbox = sqliteTable(
  'whatsapp_outbox',
  {
    messageId: text('message_id').primaryKey(),
    recipientId: text('recipient_id').references(() => users.id),
    job: text('job', { mode: 'json' }).$type<WhatsappJob>().notNull(),
    createdAt: integer('created_at').notNull(),
    /** When the sweep tries next, each time later. */
    dueAt: integer('due_at').notNull(),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('whatsapp_outbox_by_due_time').on(table.dueAt)],
);

/** Messages that the consumer has claimed, before sending them, so that a redelivery is recognised. */
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
    /** Meta's error code of the last failure; also null for failures without one, such as a broken connection. */
    errorCode: integer('error_code'),
    /** Meta's id of the message, once accepted. */
    wamid: text('wamid'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('whatsapp_messages_by_age').on(table.createdAt)],
);

/** A person's latest STOP or START, so that an older one that arrives later is ignored. */
export const whatsappWords = sqliteTable('whatsapp_words', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Meta's id of the message with it. */
  messageId: text('message_id').notNull(),
  isOn: integer('is_on', { mode: 'boolean' }).notNull(),
  sentAt: integer('sent_at').notNull(),
});

/** The recipients of a day in Tanzania, counted from 1970, as Meta limits their number. */
export const whatsappRecipients = sqliteTable(
  'whatsapp_recipients',
  {
    day: integer('day').notNull(),
    /** E.164. */
    number: text('number').notNull(),
    /** The purpose whose share of the day it counts for (whatsapp/recipients.ts). */
    share: text('share').notNull(),
    /** The last message on its way there; null once Meta has accepted one. */
    messageId: text('message_id'),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.number] }),
    index('whatsapp_recipients_by_message').on(table.messageId).where(sql`message_id is not null`),
  ],
);

/** Meta's delivery reports, apart from the messages, because a report may arrive before the send has returned. */
export const whatsappDeliveries = sqliteTable(
  'whatsapp_deliveries',
  {
    wamid: text('wamid').primaryKey(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    /** Reports may be repeated and arrive in any order: only a higher rank replaces the stored one. */
    rank: integer('rank').notNull(),
    errorCode: integer('error_code'),
    reportedAt: integer('reported_at').notNull(),
  },
  (table) => [index('whatsapp_deliveries_by_age').on(table.reportedAt)],
);

/** Pauses: nothing is sent until then, because Meta has refused all messages rather than a single one. */
export const whatsappPauses = sqliteTable('whatsapp_pauses', {
  channel: text('channel').primaryKey(),
  until: integer('until').notNull(),
  errorCode: integer('error_code').notNull(),
});

/** Messages that were given up, from the dead-letter queue. */
export const whatsappDeadLetters = sqliteTable(
  'whatsapp_dead_letters',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<WhatsappJob['kind']>().notNull(),
    recordedAt: integer('recorded_at').notNull(),
  },
  (table) => [index('whatsapp_dead_letters_by_age').on(table.recordedAt)],
);
