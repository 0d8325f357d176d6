import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ReportReason } from '#contract/kinds.ts';
import type { CaseStatus, Decision, LoggedAction, LoggedTarget } from '#contract/moderation.ts';
import { users } from './people.ts';

/** Reports on claims, each by a party of the claim. `reporterId` is null after the reporter's account was erased. */
export const claimReports = sqliteTable(
  'claim_reports',
  {
    id: text('id').primaryKey(),
    claimId: text('claim_id').notNull(),
    /** Admins see the report in the moderation case of this post. */
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

/** Who has blocked whom: neither person sees the other's posts (conditions/posts.ts). */
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
    /**
     * The name by which the blocker recognises the blocked person: the title of that person's post, or that person's
     * name in a claim.
     */
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index('blocks_by_blocked').on(table.blockedId),
    index('blocks_by_time').on(table.blockerId, table.createdAt, table.id),
  ],
);

/** Reports on posts. `reporterId` is null after the reporter's account was erased. */
export const postReports = sqliteTable(
  'post_reports',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The post's author. A copy, because the report outlives the post. */
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    reporterId: text('reporter_id').references(() => users.id),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text'),
    /**
     * Whether the report counts towards hiding the post: when it was made, the reporter had a proven phone number, an
     * account that was not new, and no claim on the post.
     */
    isCounted: integer('is_counted', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** When a platform admin decided on the case. From then on the report no longer counts towards hiding the post. */
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
    /** When the case was opened or, once decided, when it was decided. The queue of cases is sorted by this time. */
    since: integer('since').notNull(),
    /** Whether the author has edited the post since it was hidden. */
    isEdited: integer('is_edited', { mode: 'boolean' }).notNull().default(false),
    /** Whether an admin has restored the post, so that reports cannot hide it any more. */
    isCleared: integer('is_cleared', { mode: 'boolean' }).notNull().default(false),
    decision: text('decision').$type<Decision>(),
    /**
     * The columns `…Before` store the state before the decision, which is restored if an admin undoes the decision.
     * `waitingSinceBefore` is null if the case was not open before the decision.
     */
    waitingSinceBefore: integer('waiting_since_before'),
    isEditedBefore: integer('is_edited_before', { mode: 'boolean' }).notNull().default(false),
    hiddenByBefore: integer('hidden_by_before').notNull().default(0),
    hiddenReasonBefore: text('hidden_reason_before'),
    isClearedBefore: integer('is_cleared_before', { mode: 'boolean' }).notNull().default(false),
    /** When admins are next notified of the case. Each notice sets a later time. */
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
    /**
     * The person who acted. Null if the system acted (for example, hid a post after several reports), if an operator
     * used the command line, or after the person's account was erased.
     */
    actorId: text('actor_id').references(() => users.id),
    action: text('action').$type<LoggedAction>().notNull(),
    targetType: text('target_type').$type<LoggedTarget>().notNull(),
    /**
     * The id of the action's target. If the target is a person or a post, the id is null after the account of the
     * person, or of the post's author, was erased.
     */
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
