import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { PostEntry } from '#contract/posts.ts';
import { askAuthors, restPosts } from '#worker/ask-authors.ts';
import { openDb } from '#worker/db/client.ts';
import { newPerson, newPost, type Person } from './support/api.ts';
import { counting, expectTrips } from './support/count-trips.ts';
import { insertPosts } from './support/insert-posts.ts';

const AWAY = 6_000;
const THERE = 60;
/** A page's rows from the index, once a place and once more merged, the table, their authors' numbers and photos. */
const PAGE_ROWS_MAX = 50 * 8;
/** A hundred posts, each read a few times over, and what of them is written. */
const SWEEP_ROWS_MAX = 100 * 40;
const NOTHING_DUE_ROWS_MAX = 100;

let author: Person;

beforeAll(async () => {
  author = await newPerson();
  const titles = (count: number) => Array.from({ length: count }, (_, index) => `Simu nyeusi ${index}`);
  await insertPosts(author.id, titles(THERE));
  // The newest are away, so that whoever looks from there on would look at all of them.
  await insertPosts(author.id, titles(AWAY));
  await env.DB.prepare('update posts set away_since = 1 where seq > (select min(seq) + ? from posts)')
    .bind(THERE - 1)
    .run();
}, 120_000);

test.each([
  ['the newest', '/api/posts', 50],
  ['one kind', '/api/posts?posted_by=finder', 50],
  ['the open ones', '/api/posts?open=1', 50],
  ['what is about one thing', '/api/posts?kind=electronics', 50],
])('%s cost what they cost without those that are away', async (_name, path, posts) => {
  const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path);
  expect((await answer.json<PostEntry[]>()).length).toBe(posts);
  expect(rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX);
});

test('the sweep reads no more than it does', async () => {
  await newPost(author);
  const day = 24 * 60 * 60 * 1000;
  for (const [days, step] of [
    [1, askAuthors],
    [1, restPosts],
    [20, askAuthors],
    [70, restPosts],
  ] as const) {
    const tally = { trips: 0, rowsRead: 0, isOver: false };
    await env.DB.prepare('update posts set created_at = ?')
      .bind(Date.now() - days * day)
      .run();
    await step(env, openDb({ DB: counting(env.DB, tally) }), Date.now());
    expect(tally.rowsRead).toBeLessThanOrEqual(days === 1 ? NOTHING_DUE_ROWS_MAX : SWEEP_ROWS_MAX);
  }
});
