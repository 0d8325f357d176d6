import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { app } from '#worker/app.ts';
import { newPerson, newPost, ORIGIN, type Person } from './support/api.ts';
import { insertPosts } from './support/insert-posts.ts';
import { channelOf, lostAndFound } from './support/live.ts';
import { passCalls } from './support/pass-calls.ts';

const PLACE = { location: 'Kariakoo', phone_number: '0712345678', owner_first_name: '', owner_last_name: '' };

type Rows = { read: number; written: number };

/** Counts the rows of a request, including the work after its answer. */
async function rowsOf(method: string, path: string, { token }: Partial<Person> = {}, body?: object): Promise<Rows> {
  const rows = { read: 0, written: 0 };
  const DB = passCalls(env.DB, async (ask) => {
    const answer = await ask();
    for (const { meta } of [answer].flat() as { meta: D1Meta }[]) {
      rows.read += meta.rows_read;
      rows.written += meta.rows_written;
    }
    return answer;
  });
  const after: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => after.push(work), passThroughOnException() {}, props: {} };
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const request = new Request(`${ORIGIN}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const answer = await app.fetch(request, { ...env, DB }, context as never);
  expect(answer.ok).toBe(true);
  await Promise.all(after);
  return rows;
}

/** The costs that docs/scale.md counts with. */
const BUDGETS = {
  rowsReadPerPage: 200,
  rowsWrittenPerPost: 150,
  rowsWrittenPerNotice: 30,
  bytesPerPost: 7_000,
  bytesPerMailbox: 90_000,
};

function expectWithin(name: keyof typeof BUDGETS, measured: number): void {
  expect.soft(measured, name).toBeLessThanOrEqual(BUDGETS[name]);
}

test('a post, a notice and a page stay within their budgets of rows', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  const post = await rowsOf('POST', '/api/posts', owner, { ...PLACE, ...lost });
  const matched = await rowsOf('POST', '/api/posts', finder, { ...PLACE, ...found });
  expect(matched.written).toBeGreaterThan(post.written);
  expectWithin('rowsWrittenPerPost', post.written);
  expectWithin('rowsWrittenPerNotice', matched.written - post.written);
  await insertPosts(
    owner.id,
    Array.from({ length: 1_000 }, (_, n) => `Simu nyeusi namba ${n}`),
  );
  const page = await rowsOf('GET', '/api/posts?limit=20');
  expectWithin('rowsReadPerPage', page.read);
});

test('a post and a mailbox stay within their budgets of bytes', async () => {
  const owner = await newPerson();
  const size = async () => (await env.DB.prepare('select 1').run()).meta.size_after;
  const authors = [owner, await newPerson(), await newPerson()];
  const posts = 60;
  const before = await size();
  for (let n = 0; n < posts; n++) {
    const title = `Nimeokota pochi ya ${crypto.randomUUID()} namba ${n}`;
    await rowsOf('POST', '/api/posts', authors[n % authors.length], {
      ...PLACE,
      posted_by: 'finder',
      title,
      description: '',
    });
  }
  expectWithin('bytesPerPost', ((await size()) - before) / posts);
  const { lost, found } = lostAndFound();
  const { id } = await newPost(owner, lost);
  expect(id).toBeDefined();
  await rowsOf('POST', '/api/posts', await newPerson(), { ...PLACE, ...found });
  const bytes = await runInDurableObject(channelOf(owner), (_object, { storage }) => storage.sql.databaseSize);
  expectWithin('bytesPerMailbox', bytes);
});
