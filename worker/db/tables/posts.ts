import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PostedBy, PostKind } from '#contract/kinds.ts';
import type { Contact, Outcome } from '#contract/posts.ts';
import { communities } from './communities.ts';
import { users } from './people.ts';

export const posts = sqliteTable(
  'posts',
  {
    /** The order of posts, the key for paging, and the rowid in the search indexes. */
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
    /** Where a found thing is now; null for a lost thing, or if the finder does not say. */
    keptAt: text('kept_at'),
    phoneNumber: text('phone_number').notNull(),
    description: text('description').notNull(),
    postedBy: text('posted_by').$type<PostedBy>().notNull(),
    /** What the thing is (its category): stated by the author, or derived from the text. */
    kind: text('kind').$type<PostKind>().notNull(),
    /** The category stated by the author; null if it is derived from the text. */
    ownKind: text('own_kind').$type<PostKind>(),
    /** Whether the author posts for another person. If so, the phone number is the other person's. */
    onBehalf: integer('on_behalf', { mode: 'boolean' }).notNull().default(false),
    claimQuestion: text('claim_question'),
    /** What only the finder knows about the thing. It is never shown to other people, searched or matched. */
    privateMarks: text('private_marks'),
    /** How the author is contacted. */
    contact: text('contact').$type<Contact>().notNull().default('number'),
    isFound: integer('is_found', { mode: 'boolean' }).notNull().default(false),
    /**
     * When the post was marked as found; null if it is not marked. Marking the post again does not change the time. The
     * marking can be undone for a while.
     */
    foundAt: integer('found_at'),
    /**
     * When the post closed or, if it has no `outcome`, began to rest. Only its author sees it from then on. Null if
     * neither has happened.
     */
    awaySince: integer('away_since'),
    /** How the search for the thing or its owner ended, according to the author; null while the search goes on. */
    outcome: text('outcome').$type<Outcome>(),
    /** When the post was last edited or confirmed as still open; null if neither has happened. */
    renewedAt: integer('renewed_at'),
    /** How often its author has been asked since `renewedAt` whether they are still looking. */
    timesAsked: integer('times_asked').notNull().default(0),
    /** JSON of string[]: the sorted digests of the thing's identifiers (posts/identifiers.ts); null for none. */
    identifiers: text('identifiers'),
    /** How often the identifiers were changed. Setting them for the first time does not count. */
    identifierChanges: integer('identifier_changes').notNull().default(0),
    /** For a finder's post: the lost post that it answers ("I found this"). */
    answersPostId: text('answers_post_id'),
    /** What hides the post, one bit each (conditions/posts.ts); 0 for nothing. */
    hiddenBy: integer('hidden_by').notNull().default(0),
    /** Why the post was last hidden: an admin's text, or the most frequent reason of reports. */
    hiddenReason: text('hidden_reason'),
    /** The folded searchable fields (lower case, no diacritics), one per line. Indexed by posts_search. */
    searchText: text('search_text').notNull(),
    /** The part of search_text that other signed-in people may see; null if they may see all of it. */
    readerText: text('reader_text'),
    /**
     * The part of search_text that visitors may see; null for a post in a community. Indexed by posts_visitor_search.
     */
    visitorText: text('visitor_text'),
    /**
     * The version of the rules for these texts (posts/search-texts.ts). The scheduled sweep renews texts of older
     * versions.
     */
    searchVersion: integer('search_version').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /**
     * When the post was created or, if this is later, when a field that matching uses was last changed. If two posts
     * match, the author of the post with the earlier time is notified about the other post.
     */
    changedAt: integer('changed_at').notNull().default(0),
    /**
     * Since when the post waits to be matched or, after a failure, when the next try is due. Null if the post does not
     * wait, such as after its matches are stored. The scheduled sweep matches posts whose matching was interrupted.
     */
    matchPendingSince: integer('match_pending_since'),
    /**
     * How often the scheduled sweep has tried to analyse or match the post without finishing. The pause grows with each
     * try. After TRIES_MAX tries the post is given up until it is edited.
     */
    matchFailures: integer('match_failures').notNull().default(0),
  },
  (table) => [
    index('posts_by_community').on(table.communityId, table.seq),
    // The indexes for lists. Most posts are old and no longer listed, so these indexes omit them.
    // `posts_listed` contains every column that a list examines, so that a list reads whole rows only of the posts that
    // its page shows.
    index('posts_listed')
      .on(table.communityId, table.seq, table.authorId, table.hiddenBy)
      .where(sql`away_since is null`),
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
    // The index for the weekly statistics, which select posts by age.
    index('posts_by_age').on(table.createdAt),
    index('posts_hidden').on(table.seq).where(sql`hidden_by <> 0`),
    index('posts_by_author').on(table.authorId, table.seq),
    index('posts_by_marking').on(table.foundAt).where(sql`found_at is not null`),
    index('posts_to_match').on(table.matchPendingSince).where(sql`match_pending_since is not null`),
  ],
);

/**
 * Photos of posts, each with objects in the bucket (worker/photos/present-photos.ts). A trigger records deleted photos
 * in `photo_leftovers`.
 */
export const photos = sqliteTable(
  'photos',
  {
    /** Random, so that nobody can guess the photo's URLs, which contain the id. */
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The author of the post. */
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    /** The photo's position in the post, counted from 0. */
    position: integer('position').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    alt: text('alt').notNull(),
    /** Whether the photo also has a version for link previews (Open Graph). */
    hasOg: integer('has_og', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** Since when the post is about a document; null if it is not. Maintained by a trigger on posts. */
    documentSince: integer('document_since'),
  },
  (table) => [
    index('photos_by_post').on(table.postId, table.position),
    index('photos_by_author').on(table.authorId),
    index('photos_of_documents').on(table.documentSince).where(sql`document_since is not null`),
  ],
);

/**
 * Photos whose objects in the bucket are to be deleted at `dueAt`. A photo that is still being uploaded is also listed,
 * so that its objects are deleted if the upload never completes.
 */
export const photoLeftovers = sqliteTable(
  'photo_leftovers',
  { photoId: text('photo_id').primaryKey(), dueAt: integer('due_at').notNull() },
  (table) => [index('photo_leftovers_by_due_time').on(table.dueAt)],
);

/** One row per reader and day: the posts whose phone numbers the reader saw on that day (posts/give-numbers.ts). */
export const givenNumbers = sqliteTable(
  'given_numbers',
  {
    /** A person's id, or the fingerprint of an IP address's network. */
    readerId: text('reader_id').notNull(),
    dayEndsAt: integer('day_ends_at').notNull(),
    /**
     * The `seq` of each post whose phone number the reader saw, as `,12,15,`. One row a day is cheaper to read than one
     * row per post.
     */
    postSeqs: text('post_seqs').notNull().default(','),
    postCount: integer('post_count').notNull().default(0),
    /**
     * How many match notices with a phone number the reader got that day. A trigger on notices counts these notices and
     * sets `notices.place_in_day`.
     */
    noticeCount: integer('notice_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.readerId, table.dayEndsAt] }),
    index('given_numbers_by_end').on(table.dayEndsAt),
  ],
);
