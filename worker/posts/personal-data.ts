import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { flag, queryRows } from '#worker/db/rows.ts';
import { givenNumbers, idempotencyKeys, posts } from '#worker/db/schema.ts';
import { columnsOf, FROM_POSTS, shapeOf, WRITTEN } from './post-columns.ts';

/** What an author gets of a post: all that they wrote, and what became of it. */
const EXPORTED = [
  'id',
  ...WRITTEN,
  'kind',
  'has_identifiers',
  'is_found',
  'outcome',
  'created_at',
  'community_name',
] as const;

const exportedRow = () => z.object({ ...shapeOf(EXPORTED), is_away: flag() });
const givenRow = () => z.object({ until: z.string(), post_id: z.string() });

export const postData: PersonalData = {
  tables: { posts: 'author_id', idempotency_keys: 'user_id', given_numbers: 'reader_id' },
  async exportFor(db, userId) {
    const ownPosts = await queryRows(db, exportedRow)`
      select ${columnsOf(EXPORTED)}, p.away_since is not null as is_away
      ${FROM_POSTS} where p.author_id = ${userId} order by p.seq`;
    const numbersGiven = await queryRows(db, givenRow)`
      select strftime('%FT%TZ', g.day_ends_at / 1000, 'unixepoch') as until, p.id as post_id
      from given_numbers g cross join json_each('[' || trim(g.post_seqs, ',') || ']') j cross join posts p on p.seq = j.value
      where g.reader_id = ${userId} order by g.day_ends_at, p.seq`;
    return { posts: ownPosts, numbers_given: numbersGiven };
  },
  eraseFor: (db, userId) => [
    db.delete(idempotencyKeys).where(eq(idempotencyKeys.userId, userId)),
    db.delete(givenNumbers).where(eq(givenNumbers.readerId, userId)),
    db.delete(posts).where(eq(posts.authorId, userId)),
  ],
};
