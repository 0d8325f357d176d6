import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ClaimRole, ClaimState, ClaimStep } from '#contract/claims.ts';
import type { EmailKind, LocalEmailContent } from '#contract/email.ts';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import type { Confidence } from '#contract/matching.ts';
import type { Decision, LoggedAction, LoggedTarget } from '#contract/moderation.ts';
import type { ProofOutcome } from '#contract/numbers.ts';
import type { Switch } from '#contract/operating.ts';
import type { PasskeyPurpose, PasskeyTransport } from '#contract/passkeys.ts';
import type { Contact, Outcome, PostedBy, PostKind } from '#contract/posts.ts';
import type { ReportReason } from '#contract/report-reasons.ts';
import type { DeliveryStatus, NumberCodeKind, SendingStatus, WhatsappJob } from '#contract/whatsapp.ts';

// Times are integer milliseconds. Foreign keys have no cascading actions: what belongs to a row is deleted
// with it in the same batch, because D1 runs cascades even while a migration rebuilds the parent table.

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    username: text('username').notNull(),
    email: text('email').notNull(),
    /** The email folded for comparison; one account each. */
    emailKey: text('email_key').notNull().unique(),
    /** When the person showed by a link that the e-mail is theirs; null while it is only typed, or when it came back. */
    emailProvenAt: integer('email_proven_at'),
    /** Where the app was when they did: the links in e-mails lead there. */
    emailOrigin: text('email_origin'),
    /** The id: who has which number stands in `phone_numbers`, and this column can neither go nor be null. */
    formerNumber: text('whatsapp_number').notNull().unique(),
    passwordHash: text('password_hash').notNull(),
    /** Raised by a password reset; a token with an older version is dead. */
    tokenVersion: integer('token_version').notNull().default(1),
    isPlatformAdmin: integer('is_platform_admin', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    /** Since when a platform admin keeps them from writing; null while they may. */
    suspendedAt: integer('suspended_at'),
    /** Why, as they read it; null while they may. */
    suspensionReason: text('suspension_reason'),
    /** Since when its person has closed it, and it waits for its erasure; null while it is theirs. */
    closedAt: integer('closed_at'),
    /** In which the person is written to; at first that of the sign-up. */
    language: text('language').$type<Language>().notNull().default('en'),
  },
  (table) => [
    index('users_who_run_the_platform').on(table.id).where(sql`is_platform_admin`),
    index('users_by_name').on(sql`username collate nocase`),
  ],
);

/** Whose a WhatsApp number is. An account that lost its number to whoever proved it has none here. */
export const phoneNumbers = sqliteTable('phone_numbers', {
  /** E.164. */
  number: text('number').primaryKey(),
  userId: text('user_id')
    .notNull()
    .unique()
    .references(() => users.id),
  /** When the person last showed that they can use it; null for one that was only typed. */
  provenAt: integer('proven_at'),
});

/**
 * Where somebody is signed in, one a sign-in; its id is the session's. One that has ended stays until its last token has
 * expired: the tokens from before devices have no row, so that it is the row that says that a session is over.
 */
export const devices = sqliteTable(
  'devices',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** As "Chrome, Android"; empty once it has ended. */
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    /** To the hour. */
    lastSeenAt: integer('last_seen_at').notNull(),
    endedAt: integer('ended_at'),
    /** When its sockets were closed; the sweep sees to those that have ended without. */
    closedAt: integer('closed_at'),
  },
  (table) => [
    index('devices_by_user').on(table.userId, table.createdAt),
    index('devices_by_use').on(table.lastSeenAt),
    index('devices_ended').on(table.endedAt).where(sql`ended_at is not null`),
    index('devices_to_close').on(table.endedAt).where(sql`ended_at is not null and closed_at is null`),
  ],
);

/** The link that is to prove an e-mail, one an account: a new one takes the place of the one before. */
export const emailLinks = sqliteTable(
  'email_links',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    /** What the queue calls it. Under the Worker's secret the link's token is made of it (email/link-rules.ts). */
    id: text('id').notNull().unique(),
    email: text('email').notNull(),
    /** The email folded for comparison. */
    emailKey: text('email_key').notNull(),
    tokenDigest: text('token_digest').notNull().unique(),
    /** Where the app was when it was asked for. */
    origin: text('origin').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('email_links_by_age').on(table.createdAt)],
);

/** What the consumer of e-mails has taken up, and how far each has come. */
export const emailMessages = sqliteTable(
  'email_messages',
  {
    /** The link's or the notice's id. */
    id: text('id').primaryKey(),
    kind: text('kind').$type<EmailKind>().notNull(),
    recipientId: text('recipient_id')
      .notNull()
      .references(() => users.id),
    status: text('status').$type<SendingStatus>().notNull(),
    attempts: integer('attempts').notNull(),
    /** The platform's code of the last failure. */
    errorCode: text('error_code'),
    /** All of it, where the local transport lists it; null elsewhere. */
    content: text('content', { mode: 'json' }).$type<LocalEmailContent>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('email_messages_by_age').on(table.createdAt)],
);

/** What the platform's admins show a second time who they are with (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** The credential's id, base64url as the authenticator made it. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the authenticator says it was used; one that says less than before is a copy. */
    counter: integer('counter').notNull(),
    transports: text('transports', { mode: 'json' }).$type<PasskeyTransport[]>().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('passkeys_by_user').on(table.userId)],
);

/** What a passkey is to sign next, one a person and purpose, each good once. */
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

/** The sessions in which a passkey was shown, and until when that counts. */
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
 * Codes that were asked for to show that a number is one's own, each with how far its message has come. The last one of
 * a kind and subject is the one that counts.
 */
export const numberCodes = sqliteTable(
  'number_codes',
  {
    /** Under the Worker's secret the code is made of it (whatsapp/code.ts). */
    id: text('id').primaryKey(),
    kind: text('kind').$type<NumberCodeKind>().notNull(),
    /** What is to be proven: a number, or, signed in, whose the number shall be. */
    subject: text('subject').notNull(),
    /** E.164: where it is sent. */
    number: text('number').notNull(),
    codeDigest: text('code_digest').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    issuedAt: integer('issued_at').notNull(),
    /** The account that the number went to by it; null while it is unused. */
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

/** Numbers that are to be proven by a message that their holder sends us. */
export const numberProofs = sqliteTable(
  'number_proofs',
  {
    id: text('id').primaryKey(),
    secretDigest: text('secret_digest').notNull(),
    /** E.164: the number that was named, from which alone the message may come. */
    number: text('number').notNull(),
    /** Of the whole message. */
    textDigest: text('text_digest').notNull().unique(),
    status: text('status').$type<ProofOutcome>().notNull().default('waiting'),
    createdAt: integer('created_at').notNull(),
    provenAt: integer('proven_at'),
    /** The account that the number went to by it; null while it is unused. */
    usedBy: text('used_by'),
  },
  (table) => [index('number_proofs_by_age').on(table.createdAt)],
);

/** Meta's ids of the messages that were for us to judge: a message that is delivered again says nothing new. */
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
    /** Public: it names the community in posts and opens nothing. */
    communityCode: text('community_code').notNull().unique(),
    /** Secret: it lets people in. */
    accessCode: text('access_code').notNull().unique(),
    approvalStatus: integer('approval_status').notNull().default(0),
    creatorId: text('creator_id')
      .notNull()
      .references(() => users.id),
    /** The language the creator asked in; they are written to in their account's. */
    creatorLanguage: text('creator_language').$type<Language>().notNull().default('en'),
    createdAt: integer('created_at').notNull(),
    /** Kept by triggers on memberships, so that no list has to count them. */
    memberCount: integer('member_count').notNull().default(0),
    /** It is named to strangers, who may ask to join. */
    isListed: integer('is_listed', { mode: 'boolean' }).notNull().default(true),
    /** A name that waits for the platform's admins, who asks for it, and since when; null where none does. */
    pendingName: text('pending_name'),
    pendingNameBy: text('pending_name_by').references(() => users.id),
    pendingNameAt: integer('pending_name_at'),
    /** From when on it is over: until then it can be taken back. Null while nobody closes it. */
    closesAt: integer('closes_at'),
    /** Since when nobody is in it any more; the row stays while posts are in it, and goes with the last by triggers on posts. */
    closedAt: integer('closed_at'),
  },
  (table) => [
    index('communities_by_status').on(table.approvalStatus, table.createdAt, table.id),
    index('communities_listed')
      .on(table.createdAt, table.id)
      .where(sql`approval_status = 1 and is_listed = 1 and closes_at is null and member_count > 0`),
    // In the order in which they wait for the platform's admins.
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
    role: text('role').$type<'admin' | 'member'>().notNull(),
    joinedAt: integer('joined_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.communityId, table.userId] }),
    index('memberships_by_user').on(table.userId),
    index('memberships_by_joining').on(table.communityId, table.joinedAt, table.userId),
    index('memberships_of_admins').on(table.communityId, table.joinedAt, table.userId).where(sql`role = 'admin'`),
  ],
);

/** Whoever was removed from a community: its codes are refused to them for a while. */
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

/** Who asks to join a community. Whoever was declined may ask again only when the row is old. */
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
    /** Null while it waits. */
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

/** What the platform's admins have rejected: a community, which is gone, or a new name of one. */
export const communityRejections = sqliteTable(
  'community_rejections',
  {
    id: text('id').primaryKey(),
    /** Who asked. */
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
    /** The order of posts, the paging key and the rowid that the search index points at. */
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
    /** Where a found thing is now; null where its finder does not say, and for a lost one. */
    keptAt: text('kept_at'),
    phoneNumber: text('phone_number').notNull(),
    description: text('description').notNull(),
    postedBy: text('posted_by').$type<PostedBy>().notNull(),
    /** What it is about, as its author says or else its text. Null until the sweep has read it. */
    kind: text('kind').$type<PostKind>(),
    /** As its author says; null where that is left to the text. */
    ownKind: text('own_kind').$type<PostKind>(),
    /** Posted for somebody else, whose number it is. */
    onBehalf: integer('on_behalf', { mode: 'boolean' }).notNull().default(false),
    /** What whoever claims it is asked. */
    claimQuestion: text('claim_question'),
    /** What its finder alone knows of it: no reader, no search and no matching gets it. */
    privateMarks: text('private_marks'),
    /** How its author is reached. */
    contact: text('contact').$type<Contact>().notNull().default('number'),
    isFound: integer('is_found', { mode: 'boolean' }).notNull().default(false),
    /** When it was first marked as found: from then on that can be undone for a while. Null while it is open. */
    foundAt: integer('found_at'),
    /** Since when it is there for its author alone: it is closed, or, without an outcome, rests. Null while it is neither. */
    awaySince: integer('away_since'),
    /** How it ended, as its author says; null while it has not. */
    outcome: text('outcome').$type<Outcome>(),
    /** When it was last edited or its author last said that it is still looked for; null while neither has happened. */
    renewedAt: integer('renewed_at'),
    /** How often its author has been asked since whether it is still looked for. */
    timesAsked: integer('times_asked').notNull().default(0),
    /** JSON of string[], sorted: digests of what it says under `identifiers` (posts/identifiers.ts). Null where it says none. */
    identifiers: text('identifiers'),
    /** How often they were changed since they were first set. */
    identifierChanges: integer('identifier_changes').notNull().default(0),
    /** For a finder's: the lost post whose thing its author says this is. */
    answersPostId: text('answers_post_id'),
    /** Who hides it, one bit each (posts/visibility.ts); 0 while nobody does. */
    hiddenBy: integer('hidden_by').notNull().default(0),
    /** Why it was hidden last: what an admin wrote, or the reason that most reports give. */
    hiddenReason: text('hidden_reason'),
    /** The searchable fields folded (lower case, no diacritics), one a line. Indexed by posts_search. */
    searchText: text('search_text').notNull(),
    /** As search_text, of what is shown to others who are signed in; null where that is everything. */
    readerText: text('reader_text'),
    /** As search_text, of what is shown to visitors: null for a community's post. Indexed by posts_visitor_search. */
    visitorText: text('visitor_text'),
    /**
     * By which rules these texts were made (posts/search-texts.ts); the sweep makes those of earlier ones again. 0 for a
     * post that posts_letters does not have.
     */
    searchVersion: integer('search_version').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** When the post appeared, or what it is matched by was last changed: of two that match, the later is the news. */
    changedAt: integer('changed_at').notNull().default(0),
    /**
     * Since when the post waits to be matched, or after a failure when it is tried again; null once its pairs are
     * written. The sweep finishes what is left.
     */
    matchPendingSince: integer('match_pending_since'),
    /** How often the sweep has taken the post up since it was last matched; each time it waits longer. */
    matchFailures: integer('match_failures').notNull().default(0),
  },
  (table) => [
    index('posts_by_community').on(table.communityId, table.seq),
    // What lists are read by: most posts are old, and away.
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
    index('posts_by_time').on(table.createdAt),
    index('posts_by_search_version').on(table.searchVersion, table.seq),
    index('posts_without_kind').on(table.seq).where(sql`kind is null`),
    // What the week's numbers are counted by.
    index('posts_by_age').on(table.createdAt),
    index('posts_by_return').on(table.foundAt).where(sql`found_at is not null`),
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
    /** Of what was made by it: a post or, at another path than theirs, something else. */
    postId: text('post_id').notNull(),
    /** Of the request's body, so that another one is told from a repetition; null for keys from before it was kept. */
    bodyDigest: text('body_digest'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);

/** What an open post is looked up by. Rows go when the post is found or deleted. */
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

/** What the matching has read in an open post: judging it again need not read it again. */
export const matchReadings = sqliteTable(
  'match_readings',
  {
    postSeq: integer('post_seq').primaryKey(),
    /** Of the lexicon and the rules that it was read by; the sweep reads again what an earlier one has read. */
    version: text('version').notNull(),
    /** As encodeReading writes it. */
    reading: text('reading').notNull(),
    /** JSON of string[]: what others may say too, for how common it is to be counted. */
    agreeable: text('agreeable').notNull(),
  },
  (table) => [index('match_readings_by_version').on(table.version)],
);

/** How many of the newest open posts share a value, and how many there are; counted anew every hour. */
export const valueShares = sqliteTable('value_shares', {
  value: text('value').primaryKey(),
  share: real('share').notNull(),
  refreshedAt: integer('refreshed_at').notNull(),
});

/** Two posts that describe one thing, surely or possibly. One row a pair, ever. */
export const matchPairs = sqliteTable(
  'match_pairs',
  {
    id: text('id').primaryKey(),
    lostPostId: text('lost_post_id').notNull(),
    foundPostId: text('found_post_id').notNull(),
    /** 0 to 1. */
    score: real('score').notNull(),
    /** JSON of Reason[] (matching/lexicon/word-reasons.ts), in older rows of MatchReason[]. */
    reasons: text('reasons').notNull(),
    confidence: text('confidence').$type<Confidence>().notNull().default('sure'),
    /**
     * The notice that is due once the pair is sure; null while it has been possible alone. One a pair, ever: it stays
     * here when the notice is gone, or was never made because its author had caused enough of them that day.
     */
    noticeId: text('notice_id'),
    createdAt: integer('created_at').notNull(),
    /** When it was last judged; a judgement of texts read before that changes nothing. */
    judgedAt: integer('judged_at').notNull().default(0),
    /** False when a text has changed so that the two no longer match. The row stays: one notice a pair, ever. */
    isCurrent: integer('is_current', { mode: 'boolean' }).notNull().default(true),
    /** One serial, document or plate number stands in both: what is told of it carries no phone number. */
    sharesIdentifier: integer('shares_identifier', { mode: 'boolean' }).notNull().default(false),
    /** When either author said "not mine" of its notice; the pair is never shown again, to either of them. */
    dismissedAt: integer('dismissed_at'),
    /**
     * Which of the two posts' author had a notice of the pair that nobody had read when one of the two was marked as
     * found, and it was withdrawn. They are told again when the marking is undone.
     */
    withdrawnFromPostId: text('withdrawn_from_post_id'),
  },
  (table) => [
    uniqueIndex('match_pairs_once').on(table.lostPostId, table.foundPostId),
    index('match_pairs_by_found_post').on(table.foundPostId),
    index('match_pairs_dismissed').on(table.dismissedAt).where(sql`dismissed_at is not null`),
  ],
);

/** What the author of one of its posts has said of a pair, for themself alone. */
export const matchAnswers = sqliteTable(
  'match_answers',
  {
    pairId: text('pair_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    answer: text('answer').$type<'confirmed' | 'dismissed'>().notNull(),
    answeredAt: integer('answered_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.pairId, table.userId] }),
    index('match_answers_dismissed').on(table.answeredAt).where(sql`answer = 'dismissed'`),
  ],
);

/** How a person wants to be told when no page is open; who has never said has no row. */
export const noticeSettings = sqliteTable('notice_settings', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  push: integer('push', { mode: 'boolean' }).notNull(),
  whatsapp: integer('whatsapp', { mode: 'boolean' }).notNull(),
  email: integer('email', { mode: 'boolean' }).notNull(),
  /** In Africa/Dar_es_Salaam, as "21:00"; both or neither. */
  quietFrom: text('quiet_from'),
  quietTo: text('quiet_to'),
});

/** The browsers that a person is reached in when no page is open (RFC 8030). One belongs to whoever put it last. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** Where its push service takes messages for it. */
    endpoint: text('endpoint').primaryKey(),
    /** What the queue calls it. */
    id: text('id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The session in which it was put, and with which it ends; not when that only expires. */
    sessionId: text('session_id').notNull(),
    /** The browser's public key and its secret, base64url (RFC 8291). */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    putAt: integer('put_at').notNull(),
  },
  (table) => [
    index('push_subscriptions_by_user').on(table.userId, table.putAt),
    index('push_subscriptions_by_session').on(table.sessionId),
  ],
);

/** Pushes that no service took, as the dead-letter queue delivered them. */
export const pushDeadLetters = sqliteTable(
  'push_dead_letters',
  {
    /** The queue's message. */
    id: text('id').primaryKey(),
    noticeId: text('notice_id').notNull(),
    recordedAt: integer('recorded_at').notNull(),
  },
  (table) => [index('push_dead_letters_by_age').on(table.recordedAt)],
);

/** What a person is told. D1 is the truth, their mailbox the delivery. */
export const notices = sqliteTable(
  'notices',
  {
    id: text('id').primaryKey(),
    recipientId: text('recipient_id')
      .notNull()
      .references(() => users.id),
    type: text('type').$type<LiveMessage['type']>().notNull(),
    /** For matching_post: null once a newer notice has taken this one's place. */
    pairId: text('pair_id'),
    /** For matching_post: as it was told. */
    confidence: text('confidence').$type<Confidence>(),
    /** The recipient's own post: of the pair, or the one that they are asked about. */
    yourPostId: text('your_post_id'),
    /** For matching_post: the other post. */
    postId: text('post_id'),
    /** For what tells of a claim. */
    claimId: text('claim_id'),
    /** For what else there is: its message as JSON, as there may be no row any more to read it from. */
    body: text('body'),
    createdAt: integer('created_at').notNull(),
    /** For matching_post: which of its recipient's that day it was, for only so many carry a number; 0 for one that has none. */
    placeInDay: integer('place_in_day'),
    /**
     * When the recipient's mailbox agreed with this row: it has the message, or, when the notice is no
     * longer true, will not send it. Null is what the sweep looks for.
     */
    deliveredAt: integer('delivered_at'),
    /** Not before this does the sweep try, each time later; 0 before its first try. */
    deliveryDueAt: integer('delivery_due_at').notNull().default(0),
    deliveryFailures: integer('delivery_failures').notNull().default(0),
    readAt: integer('read_at'),
    // When it came so far for the first time; null while it has not.
    /** A page has shown it. */
    acknowledgedAt: integer('acknowledged_at'),
    /** A push service, Meta, the e-mails' sender has taken it. */
    pushedAt: integer('pushed_at'),
    whatsappAt: integer('whatsapp_at'),
    emailedAt: integer('emailed_at'),
    /** Its recipient has said that it is not this one. */
    dismissedAt: integer('dismissed_at'),
  },
  (table) => [
    // What the week's numbers are counted by, and what the sweep deletes by.
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

/** How far the notices of a day have come, and nothing of whose they were. Kept by triggers on notices. */
export const noticeDays = sqliteTable(
  'notice_days',
  {
    /** In which they were stored, in Tanzania, counted from 1970 on. */
    day: integer('day').notNull(),
    type: text('type').$type<LiveMessage['type']>().notNull(),
    stored: integer('stored').notNull().default(0),
    acknowledged: integer('acknowledged').notNull().default(0),
    pushed: integer('pushed').notNull().default(0),
    whatsapp: integer('whatsapp').notNull().default(0),
    emailed: integer('emailed').notNull().default(0),
    opened: integer('opened').notNull().default(0),
    dismissed: integer('dismissed').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.type] })],
);

/**
 * Who says that a found thing is theirs. What was asked and known is sealed with it; what somebody wrote goes with their
 * account, and the rest stays for the other side.
 */
export const claims = sqliteTable(
  'claims',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** As the post was then; its author reads it whole, the claimant as such a post's readers do. */
    postTitle: text('post_title'),
    postKind: text('post_kind').$type<PostKind>(),
    finderId: text('finder_id').references(() => users.id),
    claimantId: text('claimant_id').references(() => users.id),
    question: text('question'),
    privateMarks: text('private_marks'),
    answer: text('answer'),
    /** The claimant's; the finder's is the post's. */
    phoneNumber: text('phone_number'),
    state: text('state').$type<ClaimState>().notNull(),
    /** When the decline takes effect; null but while it can be undone. */
    declineDueAt: integer('decline_due_at'),
    acceptedAt: integer('accepted_at'),
    handedOverAt: integer('handed_over_at'),
    wrongCodes: integer('wrong_codes').notNull().default(0),
    codeLockedUntil: integer('code_locked_until').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** When something last changed for each: neither learns from it what is not theirs to know. */
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

/** What was done with a claim, and what was said: nothing is taken back from it. */
export const claimSteps = sqliteTable(
  'claim_steps',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    claimId: text('claim_id').notNull(),
    step: text('step').$type<'claim' | ClaimStep>().notNull(),
    by: text('by').$type<ClaimRole>().notNull(),
    text: text('text'),
    isAboutMoney: integer('is_about_money', { mode: 'boolean' }).notNull().default(false),
    /** Since when each knows of it; null while they do not. */
    finderAt: integer('finder_at'),
    claimantAt: integer('claimant_at'),
  },
  (table) => [index('claim_steps_by_claim').on(table.claimId, table.seq)],
);

/** What either side says against the other's conduct in a claim. Whoever said it may be gone. */
export const claimReports = sqliteTable(
  'claim_reports',
  {
    id: text('id').primaryKey(),
    claimId: text('claim_id').notNull(),
    /** Its post's case is where an admin reads it. */
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

/** Who wants nothing to do with whom: to each the other's posts are as absent (posts/visibility.ts). */
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
    /** What the blocker knows them by: the title of the post that they were blocked at. */
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index('blocks_by_blocked').on(table.blockedId),
    index('blocks_by_time').on(table.blockerId, table.createdAt, table.id),
  ],
);

/** What people say against a post. Whoever said it may be gone. */
export const postReports = sqliteTable(
  'post_reports',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The post's author, of whom it is known when the post is gone. */
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    reporterId: text('reporter_id').references(() => users.id),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text'),
    /** Whether it is one of those that hide a post: by what its reporter was when they made it. */
    isCounted: integer('is_counted', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** When a platform admin decided; what is reported again counts from there. */
    closedAt: integer('closed_at'),
  },
  (table) => [
    uniqueIndex('post_reports_once').on(table.postId, table.reporterId),
    index('post_reports_by_author').on(table.authorId),
    index('post_reports_by_reporter').on(table.reporterId),
    index('post_reports_by_age').on(table.createdAt),
  ],
);

/** A post that stands before the platform's admins, or did; one row a post. */
export const moderationCases = sqliteTable(
  'moderation_cases',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull().unique(),
    status: text('status').$type<'open' | 'decided'>().notNull(),
    /** Since when it is as it is: the one that waits longest comes first, and the one decided last. */
    since: integer('since').notNull(),
    /** The author has changed the post since it was hidden. */
    isEdited: integer('is_edited', { mode: 'boolean' }).notNull().default(false),
    /** An admin has let the post stand: no number of reports hides it any more. */
    isCleared: integer('is_cleared', { mode: 'boolean' }).notNull().default(false),
    decision: text('decision').$type<Decision>(),
    /** As it was before the decision, for its undoing. It waited since then; null where it did not. */
    waitingSinceBefore: integer('waiting_since_before'),
    isEditedBefore: integer('is_edited_before', { mode: 'boolean' }).notNull().default(false),
    hiddenByBefore: integer('hidden_by_before').notNull().default(0),
    hiddenReasonBefore: text('hidden_reason_before'),
    isClearedBefore: integer('is_cleared_before', { mode: 'boolean' }).notNull().default(false),
    /** From when on the admins are to be told that it waits; moved on each time they are. */
    tellDueAt: integer('tell_due_at').notNull(),
    timesTold: integer('times_told').notNull().default(0),
  },
  (table) => [
    index('moderation_cases_by_status').on(table.status, table.since, table.id),
    index('moderation_cases_to_tell').on(table.tellDueAt).where(sql`status = 'open'`),
  ],
);

/** What was done to posts and people, and why. Nothing in it is changed; a trigger sees to that. */
export const moderationLog = sqliteTable(
  'moderation_log',
  {
    id: text('id').primaryKey(),
    /** Null for what enough reports do by themselves, and once the account is gone. */
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

/** Accounts that their people have closed; a row goes with the last of what there was. */
export const erasures = sqliteTable(
  'erasures',
  {
    userId: text('user_id').primaryKey(),
    /** Not before this: what was reported, or suspended, is kept a while for whoever has to decide. */
    eraseAt: integer('erase_at').notNull(),
    /** When the sweep takes it up, each time later. */
    dueAt: integer('due_at').notNull(),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('erasures_by_due_time').on(table.dueAt)],
);

/**
 * Posts' photos, each with its objects in the bucket (worker/photos/renditions.ts). A trigger writes each one that is deleted
 * into `photo_leftovers`.
 */
export const photos = sqliteTable(
  'photos',
  {
    /** Its addresses are made of it: random, so that nobody guesses them. */
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The post's. */
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    /** Among the post's, from 0. */
    position: integer('position').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    alt: text('alt').notNull(),
    /** Whether there is one to share, too. */
    hasOg: integer('has_og', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** Since when the post is a document's; null while it is none. Kept by a trigger on posts. */
    documentSince: integer('document_since'),
  },
  (table) => [
    index('photos_by_post').on(table.postId, table.position),
    index('photos_by_author').on(table.authorId),
    index('photos_of_documents').on(table.documentSince).where(sql`document_since is not null`),
  ],
);

/** Photos whose objects are to be deleted, unless what is being uploaded becomes a photo before its time. */
export const photoLeftovers = sqliteTable(
  'photo_leftovers',
  { photoId: text('photo_id').primaryKey(), dueAt: integer('due_at').notNull() },
  (table) => [index('photo_leftovers_by_due_time').on(table.dueAt)],
);

/** Exports of the database to the bucket of backups, one a week (worker/exports). */
export const databaseExports = sqliteTable('exports', {
  /** When it was begun, as "2026-11-22": its objects are named by it. */
  day: text('day').primaryKey(),
  begunAt: integer('begun_at').notNull(),
  /** The last one that the database had when the rows were read. */
  migration: text('migration').notNull(),
  /** When its manifest was there. */
  finishedAt: integer('finished_at'),
});

/** What an export that goes on has written, an object each. Rows go when its manifest is there. */
export const exportPieces = sqliteTable(
  'export_pieces',
  {
    day: text('day').notNull(),
    tableName: text('table_name').notNull(),
    /** From 0. */
    piece: integer('piece').notNull(),
    rowCount: integer('row_count').notNull(),
    /** The next piece goes on behind it. */
    lastRowid: integer('last_rowid').notNull(),
    /** Of the object, in hex. */
    sha256: text('sha256').notNull(),
    /** The table has no more. */
    isLast: integer('is_last', { mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.tableName, table.piece] })],
);

/** Whose accounts were erased, until the bucket of backups knows (worker/exports/erased.ts): no restored export brings them back. */
export const erasedPeople = sqliteTable('erased_people', {
  /** Of the id, SHA-256 in hex. */
  digest: text('digest').primaryKey(),
  erasedAt: integer('erased_at').notNull(),
});

/** Numbers and e-mails, under a fingerprint, of suspended people whose accounts are gone: they open no other. */
export const barredKeys = sqliteTable(
  'barred_keys',
  { key: text('key').primaryKey(), endsAt: integer('ends_at').notNull() },
  (table) => [index('barred_keys_by_end').on(table.endsAt)],
);

/** Always empty: a batch that writes for a revoked token fails at its check, and so as a whole (`writeAs`). */
export const tokenChecks = sqliteTable('token_checks', { isValid: integer('is_valid').notNull() }, () => [
  check('token_is_valid', sql`is_valid`),
]);

/** Always empty, as `token_checks` is: a batch of somebody who may not write what others see fails here (`publishAs`). */
export const standingChecks = sqliteTable(
  'standing_checks',
  {
    isSuspended: integer('is_suspended', { mode: 'boolean' }).notNull(),
    lacksNumber: integer('lacks_number', { mode: 'boolean' }).notNull(),
  },
  () => [check('is_not_suspended', sql`not is_suspended`), check('has_number', sql`not lacks_number`)],
);

/** When something that must happen again and again last did; the queue's has been there since the migration. */
export const heartbeats = sqliteTable('heartbeats', {
  name: text('name').primaryKey(),
  beatAt: integer('beat_at').notNull(),
});

/** The parts that a platform admin has switched off for a while. */
export const switchedOff = sqliteTable('switched_off', {
  name: text('name').$type<Switch>().primaryKey(),
  since: integer('since').notNull(),
});

/** What is counted for everybody to see. Kept by triggers: `returned` by one on posts. */
export const tallies = sqliteTable('tallies', {
  name: text('name').primaryKey(),
  count: integer('count').notNull(),
});

/** Counters of attempts, one a subject and window; see limits/allowance.ts. */
export const rateCounters = sqliteTable(
  'rate_counters',
  {
    subject: text('subject').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: integer('window_ends_at').notNull(),
  },
  (table) => [index('rate_counters_by_end').on(table.windowEndsAt)],
);

/** Whose numbers a reader was given in a day; see posts/number-store.ts. One row a reader and day, not one a post. */
export const givenNumbers = sqliteTable(
  'given_numbers',
  {
    /** A person's id, or the fingerprint of a network address. */
    readerId: text('reader_id').notNull(),
    dayEndsAt: integer('day_ends_at').notNull(),
    /** The posts, by their `seq`: `,12,15,`, so that one is looked up in it without reading a row each. */
    postSeqs: text('post_seqs').notNull().default(','),
    postCount: integer('post_count').notNull().default(0),
    /** Matching notices that were stored for them. Kept by a trigger on notices, which gives each its place. */
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
  },
  (table) => [index('feedback_by_age').on(table.createdAt)],
);

/** The last request of a number for a new password. One row a number: a new request replaces the old code. */
export const resetCodes = sqliteTable(
  'reset_codes',
  {
    /** A fingerprint: the numbers that people try are not kept, known or not. */
    numberKey: text('number_key').primaryKey(),
    /** What the queue calls the request. Under the Worker's secret the code is made of it (whatsapp/code.ts). */
    requestId: text('request_id').notNull().unique(),
    /** Null for a number without an account: nothing is sent, and no code is ever right. */
    userId: text('user_id').references(() => users.id),
    /** HMAC of number and code, so that one statement can judge a guess and count it. */
    codeDigest: text('code_digest').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    issuedAt: integer('issued_at').notNull(),
    /** A request that the queue has not taken yet: until then the code before it is good. */
    nextRequestId: text('next_request_id'),
    nextCodeDigest: text('next_code_digest'),
    nextIssuedAt: integer('next_issued_at'),
    verifiedAt: integer('verified_at'),
    usedAt: integer('used_at'),
    /** The token version below which the user's sockets are still to be closed; outlives the code. The sweep finishes it. */
    closeSocketsBelow: integer('close_sockets_below'),
  },
  (table) => [
    index('reset_codes_by_age').on(table.issuedAt),
    index('reset_codes_by_user').on(table.userId).where(sql`user_id is not null`),
    index('reset_codes_by_next_request').on(table.nextRequestId).where(sql`next_request_id is not null`),
    index('reset_codes_with_open_sockets').on(table.closeSocketsBelow).where(sql`close_sockets_below is not null`),
  ],
);

/**
 * Messages that the queue has not taken yet, written together with what they tell of, so that no crash in between
 * loses one. The sweep finishes what is left.
 */
export const whatsappOutbox = sqliteTable(
  'whatsapp_outbox',
  {
    messageId: text('message_id').primaryKey(),
    recipientId: text('recipient_id').references(() => users.id),
    job: text('job', { mode: 'json' }).$type<WhatsappJob>().notNull(),
    createdAt: integer('created_at').notNull(),
    /** Not before this does the sweep try, each time later. */
    dueAt: integer('due_at').notNull(),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('whatsapp_outbox_by_due_time').on(table.dueAt)],
);

/** What the queue's consumer has taken up. A row is claimed before its message is sent, so that a redelivery is known. */
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
    /** Meta's code of the last failure; null also for a failure without one, such as a broken connection. */
    errorCode: integer('error_code'),
    /** Meta's id of the message, once accepted. */
    wamid: text('wamid'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('whatsapp_messages_by_age').on(table.createdAt)],
);

/** The last STOP or START of a person: one that was sent before it, and comes after it, says nothing. */
export const whatsappWords = sqliteTable('whatsapp_words', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Meta's id of the message. */
  messageId: text('message_id').notNull(),
  isOn: integer('is_on', { mode: 'boolean' }).notNull(),
  sentAt: integer('sent_at').notNull(),
});

/** Whom a message went to on a day, counted from 1970 on in Africa/Dar_es_Salaam: Meta limits how many they are. */
export const whatsappRecipients = sqliteTable(
  'whatsapp_recipients',
  {
    day: integer('day').notNull(),
    /** E.164. */
    number: text('number').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.number] })],
);

/** What Meta reports of a message. Apart from the messages, because a report may come before the send has returned. */
export const whatsappDeliveries = sqliteTable(
  'whatsapp_deliveries',
  {
    wamid: text('wamid').primaryKey(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    /** Reports come twice and in any order: only a higher rank replaces what is known. */
    rank: integer('rank').notNull(),
    errorCode: integer('error_code'),
    reportedAt: integer('reported_at').notNull(),
  },
  (table) => [index('whatsapp_deliveries_by_age').on(table.reportedAt)],
);

/** While a row's time has not come nothing is sent: Meta refused us as such, not one message. */
export const whatsappPauses = sqliteTable('whatsapp_pauses', {
  channel: text('channel').primaryKey(),
  until: integer('until').notNull(),
  errorCode: integer('error_code').notNull(),
});

/** Messages that could not be sent, as the dead-letter queue delivered them. */
export const whatsappDeadLetters = sqliteTable(
  'whatsapp_dead_letters',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    recordedAt: integer('recorded_at').notNull(),
  },
  (table) => [index('whatsapp_dead_letters_by_age').on(table.recordedAt)],
);
