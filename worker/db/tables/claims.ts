import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ClaimRole, ClaimState, HistoryStep } from '#contract/claims.ts';
import type { PostKind } from '#contract/kinds.ts';
import { users } from './people.ts';

/**
 * Claims on found things, with copies of the finder's question and of the private marks (what only the finder knows
 * about the thing). If one party deletes their account, the row loses that party's texts and stays for the other party.
 */
export const claims = sqliteTable(
  'claims',
  {
    id: text('id').primaryKey(),
    postId: text('post_id').notNull(),
    /** The post's title and kind when it was claimed. The author sees the title unredacted, the claimant redacted. */
    postTitle: text('post_title'),
    postKind: text('post_kind').$type<PostKind>().notNull(),
    finderId: text('finder_id').references(() => users.id),
    claimantId: text('claimant_id').references(() => users.id),
    question: text('question'),
    privateMarks: text('private_marks'),
    answer: text('answer'),
    /** The claimant's phone number. The finder's phone number is in the post. */
    phoneNumber: text('phone_number'),
    state: text('state').$type<ClaimState>().notNull(),
    /** When the finder's decline takes effect; null if no decline is waiting to take effect. */
    declineDueAt: integer('decline_due_at'),
    acceptedAt: integer('accepted_at'),
    handedOverAt: integer('handed_over_at'),
    wrongCodes: integer('wrong_codes').notNull().default(0),
    codeLockedUntil: integer('code_locked_until').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /**
     * The time of the last change that each party may know of. A change that is kept secret from a party does not
     * update that party's time.
     */
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

/** The steps of claims with their texts. Append-only, except that declines which the finder has undone are deleted. */
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
    /** When each party learned of the step; null until then. */
    finderAt: integer('finder_at'),
    claimantAt: integer('claimant_at'),
  },
  (table) => [index('claim_steps_by_claim').on(table.claimId, table.seq)],
);
