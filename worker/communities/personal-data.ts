import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { handOverCommunities, leaveCommunities } from './leave-store.ts';

export const communityData: PersonalData = {
  tables: {
    communities: 'creator_id',
    memberships: 'user_id',
    community_removals: 'user_id',
    join_requests: 'user_id',
    community_rejections: 'user_id',
  },
  async exportFor(db, userId) {
    const communities = await db.all(sql`
      select c.id, c.name, c.description, m.role as member_role, m.joined_at
      from memberships m cross join communities c on c.id = m.community_id
      where m.user_id = ${userId} order by m.joined_at`);
    const askedNames = await db.all(sql`
      select id, pending_name, pending_name_at from communities where pending_name_by = ${userId}`);
    // Without `declined_at`: people are not told that they were declined.
    const joinRequests = await db.all(sql`
      select community_id, message, created_at from join_requests where user_id = ${userId} order by created_at`);
    const removals = await db.all(sql`
      select community_id, removed_at from community_removals where user_id = ${userId} order by removed_at`);
    const rejections = await db.all(sql`
      select name, reason, rejected_at from community_rejections where user_id = ${userId} order by rejected_at`);
    return {
      communities,
      community_names: askedNames,
      join_requests: joinRequests,
      community_removals: removals,
      community_rejections: rejections,
    };
  },
  eraseFor: (db, userId) => [
    ...leaveCommunities(db, userId, sql`true`, Date.now()),
    ...handOverCommunities(db, userId),
    db.run(sql`delete from community_removals where user_id = ${userId}`),
    db.run(sql`delete from community_rejections where user_id = ${userId}`),
  ],
};
