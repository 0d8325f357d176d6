import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** A community that others are in goes on: the one who has been its admin longest, else its member, is its creator then. */
export const communityData: PersonalData = {
  tables: { communities: 'creator_id', memberships: 'user_id' },
  async exportFor(db, userId) {
    const communities = await db.all(sql`
      select c.id, c.name, c.description, m.role as member_role, m.joined_at
      from memberships m cross join communities c on c.id = m.community_id
      where m.user_id = ${userId} order by m.joined_at`);
    return { communities };
  },
  eraseFor: (db, userId) => [
    db.run(sql`delete from memberships where user_id = ${userId}`),
    db.run(sql`
      delete from memberships where community_id in (
        select id from communities where creator_id = ${userId} and approval_status = 0)`),
    db.run(sql`
      delete from communities where creator_id = ${userId} and not exists (
        select 1 from memberships m where m.community_id = communities.id)`),
    db.run(sql`
      update communities set creator_id = (
        select m.user_id from memberships m where m.community_id = communities.id
        order by m.role = 'admin' desc, m.joined_at, m.user_id limit 1)
      where creator_id = ${userId}`),
  ],
};
