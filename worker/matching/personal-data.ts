import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** Terms and pairs belong to posts, and so to their authors: they go before the posts do. */
export const matchData: PersonalData = {
  tables: {},
  exportFor: async () => ({}),
  eraseFor: (db, userId) => [
    db.run(sql`delete from match_terms where post_seq in (select seq from posts where author_id = ${userId})`),
    db.run(sql`delete from match_readings where post_seq in (select seq from posts where author_id = ${userId})`),
    db.run(sql`
      delete from match_pairs where lost_post_id in (select id from posts where author_id = ${userId})
        or found_post_id in (select id from posts where author_id = ${userId})`),
  ],
};
