import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { newPost, ORIGIN } from '#tests/worker/support/api.ts';
import { fillPosts, newReader, numbersIn, pairWith, postsIn, prove } from '#tests/worker/support/people.ts';
import { app } from '#worker/app.ts';

// Simulates an attacker who collects phone numbers with new accounts, which each send sixty requests at once.
// Rule V13 of docs/product.md limits the phone numbers that the accounts get.
const ACCOUNTS = 20;
const REQUESTS = 60;

type Reader = Awaited<ReturnType<typeof newReader>>;

let posts: { id: string; seq: number }[];
beforeAll(async () => {
  posts = await fillPosts(3_000);
});

/**
 * Returns the paths of sixty requests for lists, searches, single posts and matches. The requests of each account begin
 * at a different post.
 */
function pathsOf(account: number, ownPostId: string): string[] {
  const place = (index: number) => (account * 149 + index * 41) % posts.length;
  return Array.from({ length: REQUESTS }, (_, index) => {
    const { id, seq } = posts[place(index)] ?? { id: '', seq: 0 };
    const kinds = [
      `/api/posts?limit=100&cursor=${seq}`,
      `/api/posts?limit=100&search=nyeusi%20${place(index)}`,
      `/api/posts/${id}`,
      `/api/posts/${ownPostId}/matches`,
    ];
    return kinds[index % kinds.length] ?? '';
  });
}

/** Calls the app directly: `exports.default.fetch` gets slower with each request that a test file makes. */
async function read(path: string, { token, headers }: Reader) {
  const request = new Request(ORIGIN + path, { headers: { ...headers, Authorization: `Bearer ${token}` } });
  return postsIn(await app.fetch(request, env, createExecutionContext()));
}

/**
 * Sends an account's sixty requests. Returns the ids of other people's posts whose phone numbers the responses contain,
 * without duplicates.
 */
async function harvest(reader: Reader, account: number): Promise<string[]> {
  const own = await newPost(reader, { posted_by: 'owner', title: 'Kipande cha jumba' });
  await pairWith(
    own.id,
    posts.slice(account * 50, account * 50 + 50).map(({ id }) => id),
  );
  const answers = await Promise.all(pathsOf(account, own.id).map((path) => read(path, reader)));
  await env.DB.prepare('delete from posts where id = ?').bind(own.id).run();
  return [...new Set(numbersIn(answers.flat().filter((post) => !post.is_mine)))];
}

async function expectBetween(least: number, most: number, reader: Reader): Promise<void> {
  const { length } = await harvest(reader, 0);
  expect(length).toBeGreaterThanOrEqual(least);
  expect(length).toBeLessThanOrEqual(most);
}

test('sixty concurrent requests of an account get its daily limit of 100 phone numbers, plus at most 20 by opening single posts', async () => {
  await expectBetween(100, 120, await newReader('196.50.0.1'));
});

test('an account with a proven phone number gets its daily limit of 300 phone numbers, plus at most 20 by opening single posts', async () => {
  const reader = await newReader('196.50.0.2');
  await prove(reader);
  await expectBetween(300, 320, reader);
});

test('20 accounts at one IP address together get only its daily limit of 1,000 phone numbers, even by concurrent requests', async () => {
  const readers = await Promise.all(Array.from({ length: ACCOUNTS }, () => newReader('196.50.1.1')));
  const given = await Promise.all(readers.map(harvest));
  expect(Math.max(...given.map((numbers) => numbers.length))).toBeLessThanOrEqual(120);
  expect(new Set(given.flat()).size).toBe(1_000);
}, 120_000);
