import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { queryRows } from '#worker/db/rows.ts';
import { communities, communityRejections, communityRemovals, joinRequests } from '#worker/db/schema.ts';
import { handOverCommunities, leaveCommunities } from './leave-store.ts';

const joinedRow = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    member_role: z.enum(['admin', 'member']),
    joined_at: z.number(),
  });

export const communityData: PersonalData = {
  tables: {
    communities: 'creator_id',
    memberships: 'user_id',
    community_removals: 'user_id',
    join_requests: 'user_id',
    community_rejections: 'user_id',
  },
  async exportFor(db, userId) {
    const joined = await queryRows(db, joinedRow)`
      select c.id, c.name, c.description, m.role as member_role, m.joined_at
      from memberships m cross join communities c on c.id = m.community_id
      where m.user_id = ${userId} order by m.joined_at`;
    const askedNames = await db
      .select({
        id: communities.id,
        pending_name: communities.pendingName,
        pending_name_at: communities.pendingNameAt,
      })
      .from(communities)
      .where(eq(communities.pendingNameBy, userId));
    // Without `declined_at`: people are not told that they were declined.
    const requests = await db
      .select({
        community_id: joinRequests.communityId,
        message: joinRequests.message,
        created_at: joinRequests.createdAt,
      })
      .from(joinRequests)
      .where(eq(joinRequests.userId, userId))
      .orderBy(joinRequests.createdAt);
    const removals = await db
      .select({ community_id: communityRemovals.communityId, removed_at: communityRemovals.removedAt })
      .from(communityRemovals)
      .where(eq(communityRemovals.userId, userId))
      .orderBy(communityRemovals.removedAt);
    const rejections = await db
      .select({
        name: communityRejections.name,
        reason: communityRejections.reason,
        rejected_at: communityRejections.rejectedAt,
      })
      .from(communityRejections)
      .where(eq(communityRejections.userId, userId))
      .orderBy(communityRejections.rejectedAt);
    return {
      communities: joined,
      community_names: askedNames,
      join_requests: requests,
      community_removals: removals,
      community_rejections: rejections,
    };
  },
  eraseFor: (db, userId) => [
    ...leaveCommunities(db, userId, sql`true`, Date.now()),
    ...handOverCommunities(db, userId),
    db.delete(communityRemovals).where(eq(communityRemovals.userId, userId)),
    db.delete(communityRejections).where(eq(communityRejections.userId, userId)),
  ],
};
