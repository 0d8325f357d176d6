import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

export const postData: PersonalData = {
  tables: { posts: 'author_id', idempotency_keys: 'user_id' },
  async exportFor(db, userId) {
    const posts = await db.all(sql`
      select p.id, p.title, p.owner_first_name, p.owner_last_name, p.location, p.phone_number, p.description,
        p.posted_by, p.kind, p.is_found, p.created_at, c.name as community_name
      from posts p left join communities c on c.id = p.community_id
      where p.author_id = ${userId} order by p.seq`);
    return { posts };
  },
  eraseFor: (db, userId) => [
    db.run(sql`delete from idempotency_keys where user_id = ${userId}`),
    db.run(sql`delete from posts where author_id = ${userId}`),
  ],
};
