import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PostedBy } from '#contract/kinds.ts';
import type { Confidence, MatchAnswer } from '#contract/posts.ts';
import { users } from './people.ts';

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
export const matchReadings = sqliteTable('match_readings', {
  postSeq: integer('post_seq').primaryKey(),
  /** The version of the lexicon and rules; others are not used. */
  version: text('version').notNull(),
  /** In the format of encodeReading. */
  reading: text('reading').notNull(),
  /** JSON of string[]: values that other posts may share, to count how common they are. */
  agreeable: text('agreeable').notNull(),
});

/**
 * What a search by meaning finds each listed post by, made from what visitors see of its text. Triggers on posts delete the
 * row together with the old text and insert an unread one.
 */
export const searchMeanings = sqliteTable(
  'search_meanings',
  {
    postSeq: integer('post_seq').primaryKey(),
    /** The version of the lexicon and rules; the sweep reads posts of another one again. Empty until the post is read. */
    version: text('version').notNull().default(''),
    /** The id of the post's community; empty for a public post. */
    scope: text('scope').notNull().default(''),
    /** JSON of string[]: the terms of matching/search-terms.ts. */
    terms: text('terms').notNull().default('[]'),
    /** The different words of the text, each between spaces. */
    words: text('words').notNull().default(''),
  },
  (table) => [index('search_meanings_by_version').on(table.version, table.postSeq)],
);

/** The terms by which posts are looked up, newest first. Triggers on search_meanings delete them. */
export const searchTerms = sqliteTable(
  'search_terms',
  { scope: text('scope').notNull(), term: text('term').notNull(), postSeq: integer('post_seq').notNull() },
  (table) => [primaryKey({ columns: [table.scope, table.term, table.postSeq] })],
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
