import { sql } from 'drizzle-orm';
import type { PersonalData } from '#worker/db/personal-data.ts';

export const postData: PersonalData = {
  tables: { posts: 'author_id', idempotency_keys: 'user_id', given_numbers: 'reader_id' },
  async exportFor(db, userId) {
    const posts = await db.all(sql`
      select p.id, p.title, p.owner_first_name, p.owner_last_name, p.location, p.phone_number, p.description,
        p.posted_by, p.kind, p.kept_at, p.on_behalf, p.claim_question, p.private_marks, p.contact,
        p.identifiers is not null as has_identifiers, p.is_found, p.outcome,
        p.away_since is not null as is_away, p.created_at, c.name as community_name
      from posts p left join communities c on c.id = p.community_id
      where p.author_id = ${userId} order by p.seq`);
    const numbersGiven = await db.all(sql`
      select strftime('%FT%TZ', g.day_ends_at / 1000, 'unixepoch') as until, p.id as post_id
      from given_numbers g cross join json_each('[' || trim(g.post_seqs, ',') || ']') j cross join posts p on p.seq = j.value
      where g.reader_id = ${userId} order by g.day_ends_at, p.seq`);
    return { posts, numbers_given: numbersGiven };
  },
  eraseFor: (db, userId) => [
    db.run(sql`delete from idempotency_keys where user_id = ${userId}`),
    db.run(sql`delete from given_numbers where reader_id = ${userId}`),
    db.run(sql`delete from posts where author_id = ${userId}`),
  ],
};
