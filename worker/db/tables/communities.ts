import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { MemberRole } from '#contract/communities.ts';
import type { Language } from '#contract/language.ts';
import { users } from './people.ts';

export const communities = sqliteTable(
  'communities',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** The folded name and description (lower case, no diacritics), for search. */
    searchText: text('search_text').notNull(),
    /** Public: identifies the community in posts. Nobody can join with it. */
    communityCode: text('community_code').notNull().unique(),
    /** Secret: people join with it. */
    accessCode: text('access_code').notNull().unique(),
    approvalStatus: integer('approval_status').notNull().default(0),
    creatorId: text('creator_id')
      .notNull()
      .references(() => users.id),
    /** The language of the creator's request. Later messages use the language of the creator's account. */
    creatorLanguage: text('creator_language').$type<Language>().notNull().default('en'),
    createdAt: integer('created_at').notNull(),
    /** Maintained by triggers on memberships, so that a list of communities need not count the members. */
    memberCount: integer('member_count').notNull().default(0),
    /** Whether strangers can find the community and ask to join. */
    isListed: integer('is_listed', { mode: 'boolean' }).notNull().default(true),
    /**
     * A new name that waits for approval, the person who requested the name, and the time of the request. Null if no
     * new name waits.
     */
    pendingName: text('pending_name'),
    pendingNameBy: text('pending_name_by').references(() => users.id),
    pendingNameAt: integer('pending_name_at'),
    /** When the community closes. Until then, closing can be cancelled. Null if it is not closing. */
    closesAt: integer('closes_at'),
    /**
     * When the community was closed; null until then. Triggers on posts delete the row of a closed community together
     * with the community's last post.
     */
    closedAt: integer('closed_at'),
    /** When and why platform admins suspended the community; null if it is not suspended. */
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
    // The index for the list of communities and new names that platform admins have to decide on.
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

/** Requests to join a community. The row of a declined request stays, so that the person cannot ask again at once. */
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
    /** When an admin declined the request; null while it waits. */
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

/** Rejections by platform admins: of a new community, which was then deleted, or of a community's new name. */
export const communityRejections = sqliteTable(
  'community_rejections',
  {
    id: text('id').primaryKey(),
    /** The person who requested the community or name. */
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
