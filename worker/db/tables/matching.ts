import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PostedBy } from '#contract/kinds.ts';
import type { Confidence, MatchAnswer } from '#contract/posts.ts';
import { users } from './people.ts';

/**
 * The terms by which open posts are looked up for matching. Marking a post as found, or deleting the post, deletes its
 * terms.
 */
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

/**
 * The reading of each open post: what its text says, found with the lexicon. Matching compares readings and need not
 * analyse the texts again.
 */
export const matchReadings = sqliteTable('match_readings', {
  postSeq: integer('post_seq').primaryKey(),
  /** The version of the lexicon and rules that made the reading. Matching uses only readings of the current version. */
  version: text('version').notNull(),
  /** The reading as text, in the format of `encodeReading`. */
  reading: text('reading').notNull(),
  /**
   * JSON of string[]: the things, colours, brands and places of the post. `valueShares` records how common each of
   * these values is.
   */
  agreeable: text('agreeable').notNull(),
});

/**
 * For each listed post, the terms with which the search by meaning finds the post. The terms are made from the text
 * that visitors may see. If this text changes, triggers on posts replace the row by an empty row.
 */
export const searchMeanings = sqliteTable(
  'search_meanings',
  {
    postSeq: integer('post_seq').primaryKey(),
    /**
     * The version of the lexicon and rules with which the post was analysed; empty before the first analysis. If this
     * version is not the current one, the scheduled sweep analyses the post again.
     */
    version: text('version').notNull().default(''),
    /** The id of the post's community; empty for a public post. */
    scope: text('scope').notNull().default(''),
    /** JSON of string[]: the terms of matching/search-terms.ts in their stored form. */
    terms: text('terms').notNull().default('[]'),
    /** The distinct words of the text, each between spaces. */
    words: text('words').notNull().default(''),
  },
  (table) => [index('search_meanings_by_version').on(table.version, table.postSeq)],
);

/**
 * An index of the terms of `search_meanings`: a search looks up the newest posts that have a term. If a row of
 * `search_meanings` is deleted or its terms change, triggers delete that post's rows here.
 */
export const searchTerms = sqliteTable(
  'search_terms',
  { scope: text('scope').notNull(), term: text('term').notNull(), postSeq: integer('post_seq').notNull() },
  (table) => [primaryKey({ columns: [table.scope, table.term, table.postSeq] })],
);

/** How common a value, such as a colour, is: the share of the newest open posts that have it. Recounted every hour. */
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
     * The id of the notice about this match; null if the match was never sure. While the id stays the same, the match
     * gets no second notice, even if the first notice was deleted, or was not created because of the daily limit. If
     * the first notice was withdrawn unread, a new id can replace the old one, and a second notice follows.
     */
    noticeId: text('notice_id'),
    createdAt: integer('created_at').notNull(),
    /**
     * When matching last judged the pair. A slow run that read the texts before this time does not overwrite the newer
     * result.
     */
    judgedAt: integer('judged_at').notNull().default(0),
    /**
     * False if the posts no longer match after an edit. The row stays, so that nobody is notified twice if the posts
     * match again.
     */
    isCurrent: integer('is_current', { mode: 'boolean' }).notNull().default(true),
    /**
     * Whether both posts have the same serial, document or plate number. If they do, notices about the pair show no
     * phone number.
     */
    sharesIdentifier: integer('shares_identifier', { mode: 'boolean' }).notNull().default(false),
    /** When either author dismissed the pair's notice. The pair is never shown to either author again. */
    dismissedAt: integer('dismissed_at'),
    /**
     * Null unless an unread notice about the pair was withdrawn. Then the id of the post whose author had received the
     * notice: if the posts match again, the same author is notified again.
     */
    withdrawnFromPostId: text('withdrawn_from_post_id'),
  },
  (table) => [
    uniqueIndex('match_pairs_once').on(table.lostPostId, table.foundPostId),
    index('match_pairs_by_found_post').on(table.foundPostId),
    index('match_pairs_dismissed').on(table.dismissedAt).where(sql`dismissed_at is not null`),
  ],
);

/** Each author's answer to a pair: "this is the one" or "not this one". */
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
