import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { PostEntry } from '#contract/posts.ts';
import { newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { counting, expectTrips } from '#tests/worker/support/count-trips.ts';
import { insertPosts } from '#tests/worker/support/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { askAuthors, restUnansweredPosts } from '#worker/posts/ask-and-rest.ts';

const AWAY = 6_000;
const THERE = 60;
/** A page's rows: from the index, once for each place and once merged, the table, the authors' numbers and photos. */
const PAGE_ROWS_MAX = 50 * 8;
/** A hundred posts, each read a few times, and their written rows. */
const SWEEP_ROWS_MAX = 100 * 40;
const NOTHING_DUE_ROWS_MAX = 100;

let author: Person;

beforeAll(async () => {
  author = await newPerson();
  const titles = (count: number) => Array.from({ length: count }, (_, index) => `Simu nyeusi ${index}`);
  await insertPosts(author.id, titles(THERE));
  // The newest are closed or resting, so a scan from the newest would read all of them.
  await insertPosts(author.id, titles(AWAY));
}, 120_000);

// The sweep makes existing posts rest.
beforeEach(async () => {
  const isAway = 'seq > (select min(seq) + ? from posts)';
  await env.DB.prepare(`update posts set away_since = iif(${isAway}, 1, null) where (away_since is null) = (${isAway})`)
    .bind(THERE - 1, THERE - 1)
    .run();
});

test.each([
  ['the newest', '/api/posts', 50],
  ['one kind', '/api/posts?posted_by=finder', 50],
  ['the open ones', '/api/posts?open=1', 50],
  ['what is about one thing', '/api/posts?kind=electronics', 50],
])('%s cost the same with closed and resting posts', async (_name, path, posts) => {
  const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path);
  expect((await answer.json<PostEntry[]>()).length).toBe(posts);
  expect(rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX);
});

test('the sweep reads no more rows with closed and resting posts', async () => {
  await newPost(author);
  const day = 24 * 60 * 60 * 1000;
  for (const [days, step] of [
    [1, askAuthors],
    [1, restUnansweredPosts],
    [20, askAuthors],
    [70, restUnansweredPosts],
  ] as const) {
    const tally = { trips: 0, rowsRead: 0, isOver: false };
    await env.DB.prepare('update posts set created_at = ?')
      .bind(Date.now() - days * day)
      .run();
    await step(env, openDb({ DB: counting(env.DB, tally) }), Date.now());
    expect(tally.rowsRead).toBeLessThanOrEqual(days === 1 ? NOTHING_DUE_ROWS_MAX : SWEEP_ROWS_MAX);
  }
});
