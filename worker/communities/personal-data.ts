import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { handOverCommunities, leaveCommunities } from './leave-store.ts';

export const communityData: PersonalData = {
  tables: { communities: 'creator_id', memberships: 'user_id' },
  async exportFor(db, userId) {
    const communities = await db.all(sql`
      select c.id, c.name, c.description, m.role as member_role, m.joined_at
      from memberships m cross join communities c on c.id = m.community_id
      where m.user_id = ${userId} order by m.joined_at`);
    return { communities };
  },
  eraseFor: (db, userId) => [...leaveCommunities(db, userId, sql`true`), ...handOverCommunities(db, userId)],
};
