import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** Terms, pairs and what was said of them belong to posts, and so to their authors: they go before the posts do. */
export const matchData: PersonalData = {
  tables: { match_answers: 'user_id' },
  exportFor: async () => ({}),
  eraseFor(db, userId) {
    const isOfTheirs = sql`(lost_post_id in (select id from posts where author_id = ${userId})
      or found_post_id in (select id from posts where author_id = ${userId}))`;
    return [
      db.run(sql`delete from match_terms where post_seq in (select seq from posts where author_id = ${userId})`),
      db.run(sql`delete from match_readings where post_seq in (select seq from posts where author_id = ${userId})`),
      db.run(sql`delete from match_answers where pair_id in (select id from match_pairs where ${isOfTheirs})`),
      db.run(sql`delete from match_pairs where ${isOfTheirs}`),
    ];
  },
};
