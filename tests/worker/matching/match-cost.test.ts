import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { newPerson, type Person, somePost } from '#tests/worker/support/api.ts';
import { counting } from '#tests/worker/support/count-trips.ts';
import { openDb } from '#worker/db/client.ts';
import { findCandidates } from '#worker/matching/find-candidates.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';
import type { StoredPost } from '#worker/posts/post-columns.ts';

/** As in worker/matching/find-candidates.ts: how many of a term's newest posts are read, and how many are judged. */
const NEWEST_PER_TERM = 100;
const CANDIDATES_MAX = 150;
/** SQLite counts a term's newest rows when they are found, gathered and grouped; a candidate is read by its number. */
const ROWS_MAX = (terms: number): number => terms * 3 * NEWEST_PER_TERM + CANDIDATES_MAX * 4;

const FOUND = { ...somePost, title: 'Found a black Tecno phone', location: 'Sinza', posted_by: 'finder' as const };
const LOST = { ...somePost, title: 'Nimepoteza simu ya Tecno nyeusi', location: 'Sinza', posted_by: 'owner' as const };

/** Posts that all have the searched terms: the most crowded case. */
async function addAlike(authorId: string, from: number, to: number): Promise<void> {
  const terms = JSON.stringify(indexTerms(readPost({ ...FOUND, created_at: Date.now() })));
  const numbers = 'with recursive n (seq) as (select ?1 union all select seq + 1 from n where seq < ?2)';
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} insert into posts (seq, id, author_id, title, owner_first_name, owner_last_name, location,
         phone_number, description, posted_by, kind, search_text, created_at)
       select seq, 'alike-' || seq, ?3, ?4, '', '', ?5, '0712345678', '', 'finder', 'other', '', ?6 from n`,
    ).bind(from, to, authorId, FOUND.title, FOUND.location, Date.now()),
    env.DB.prepare(
      `${numbers} insert into match_terms (posted_by, term, post_seq) select 'finder', value, seq from json_each(?3), n`,
    ).bind(from, to, terms),
  ]);
}

async function costOfLookup(authorId: string) {
  const terms = lookupTerms(readPost({ ...LOST, created_at: Date.now() }));
  const post = { ...LOST, id: 'asking', seq: 0, author_id: authorId, community_id: null } as unknown as StoredPost;
  const tally = { trips: 0, rowsRead: 0, isOver: false };
  const candidates = await findCandidates(openDb({ DB: counting(env.DB, tally) }), post, terms);
  return { ...tally, candidates, terms: terms.length };
}

let author: Person;
beforeAll(async () => {
  author = await newPerson();
  await addAlike(author.id, 1, 2_000);
});

test('candidates cost one trip and the same rows among 2,000 posts and among 20,000', async () => {
  const asking = await newPerson();
  const few = await costOfLookup(asking.id);
  await addAlike(author.id, 2_001, 20_000);
  const many = await costOfLookup(asking.id);

  expect(few.rowsRead).toBeLessThanOrEqual(ROWS_MAX(few.terms));
  expect(many.rowsRead).toBe(few.rowsRead);
  expect(many.trips).toBe(1);
  expect(many.candidates[0]?.seq).toBe(20_000);
});

test('candidates with photos cost no more', async () => {
  const asking = await newPerson();
  const before = await costOfLookup(asking.id);
  await env.DB.prepare(
    `insert into photos (id, post_id, author_id, position, width, height, alt, has_og, created_at)
     select p.id || '-' || n.value, p.id, p.author_id, n.value, 640, 480, '', 0, 1
     from posts p, json_each('[0, 1, 2, 3]') n where p.id like 'alike-%'`,
  ).run();
  const { rowsRead, candidates } = await costOfLookup(asking.id);
  expect(candidates.length).toBeGreaterThan(0);
  expect(rowsRead).toBe(before.rowsRead);
});
