import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { queryRows } from '#worker/db/rows.ts';

const TERMS_AT_ONCE = 1_000;
const answerRow = () =>
  z.object({ post_id: z.string(), answer: z.enum(['confirmed', 'dismissed']), answered_at: z.number() });
const seqRow = () => z.object({ post_seq: z.number() });

/** Terms, pairs and what was said of them belong to posts, and so to their authors: they go before the posts do. */
export const matchData: PersonalData = {
  tables: { match_answers: 'user_id' },
  async exportFor(db, userId) {
    const answers = await queryRows(db, answerRow)`
      select p.id as post_id, a.answer, a.answered_at from match_answers a
      cross join match_pairs m on m.id = a.pair_id
      join posts p on p.id in (m.lost_post_id, m.found_post_id) and p.author_id = a.user_id
      where a.user_id = ${userId} order by a.answered_at`;
    return { match_answers: answers };
  },
  async eraseSome(db, userId) {
    const rows = await queryRows(db, seqRow)`
      delete from match_terms where rowid in (
        select t.rowid from posts p cross join match_terms t on t.post_seq = p.seq
        where p.author_id = ${userId} limit ${TERMS_AT_ONCE})
      returning post_seq`;
    return rows.length;
  },
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
