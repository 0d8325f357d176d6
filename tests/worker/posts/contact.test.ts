import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import type { PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { newApprovedCommunity } from '#tests/worker/support/communities.ts';
import { fillPosts, newReader, numbersIn, pairWith, postsIn, prove, readPosts } from '#tests/worker/support/people.ts';
import { insertPosts, judge, saveMatched } from '#tests/worker/support/posts.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { fingerprint } from '#worker/identity/digests.ts';
import { networksOf } from '#worker/limits/allowance.ts';
import { endOfDay } from '#worker/limits/limits.ts';

describe('an account’s daily allowance of visible phone numbers', () => {
  const ACCOUNT = 100;
  const PROVEN_ACCOUNT = 300;
  const OPENINGS = 20;

  let addresses = 0;
  /** A new IP address, so that no other test shares its allowance. */
  const newAddress = () => `196.42.${addresses >> 8}.${addresses++ & 255}`;

  let posts: { id: string; seq: number }[];
  let ids: string[];
  beforeAll(async () => {
    posts = await fillPosts(1_400);
    ids = posts.map(({ id }) => id);
  });

  /** Reads the newest posts, in pages of 100. @returns the ids of the posts with a visible phone number. */
  async function readNewest(reader: Person, count: number): Promise<string[]> {
    const given: string[] = [];
    let path: string | undefined = '/api/posts?limit=100&search=simu%20nyeusi';
    for (let read = 0; read < count && path; read += 100) {
      const answer: Response = await call('GET', path, undefined, reader);
      given.push(...numbersIn((await answer.json<PostEntry[]>()).map((entry) => entry.Post)));
      path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    return given;
  }

  async function rowsOf(readerId: string) {
    const { results } = await env.DB.prepare('select * from given_numbers where reader_id = ?').bind(readerId).all();
    return results;
  }

  test('is 100 phone numbers, and 300 once the account’s own phone number is proven', async () => {
    const reader = await newReader(newAddress());
    expect(await readNewest(reader, 400)).toEqual(ids.slice(0, ACCOUNT));
    await prove(reader);
    expect(await readNewest(reader, 400)).toEqual(ids.slice(0, PROVEN_ACCOUNT));
  });

  test('allows only the phone numbers of the first posts on a page of a list if the allowance runs out within this page', async () => {
    const reader = await newReader(newAddress());
    await readPosts('/api/posts?limit=60', reader);
    const page = await readPosts(`/api/posts?limit=100`, reader);
    expect(page.map((post) => post.is_contact_limited)).toEqual(page.map((post) => post.phone_number === null));
    expect(page.filter((post) => !post.is_contact_limited)).toEqual(page.slice(0, ACCOUNT));
    const [limited] = await readPosts('/api/posts?limit=1&search=nyeusi%201000', reader);
    expect(limited).toMatchObject({
      phone_number: null,
      is_contact_limited: true,
      contact_opens_at: new Date(endOfDay(Date.now())).toISOString(),
    });
    expect(page[0]).toMatchObject({ is_contact_limited: false, contact_opens_at: null });
  });

  test('counts each post only once a day, even if several lists show the post’s phone number', async () => {
    const reader = await newReader(newAddress());
    const paths = ['/api/posts?limit=50', '/api/posts?limit=50&search=nyeusi', `/api/posts/${ids[3]}`, '/api/posts'];
    for (const path of paths)
      for (const post of await readPosts(path, reader)) expect(post.phone_number).not.toBeNull();
    expect(await rowsOf(reader.id)).toMatchObject([{ post_count: 50 }]);
    expect(await readNewest(reader, 300)).toHaveLength(ACCOUNT);
    expect(numbersIn(await readPosts('/api/posts?limit=50', reader))).toHaveLength(50);
  });

  test('has an extra 20 phone numbers, only for posts that the user opens one by one', async () => {
    const reader = await newReader(newAddress());
    await readNewest(reader, 200);
    const opened = [];
    for (const id of ids.slice(500, 525)) opened.push(...(await readPosts(`/api/posts/${id}`, reader)));
    expect(numbersIn(opened)).toEqual(ids.slice(500, 500 + OPENINGS));
    expect(opened.at(-1)).toMatchObject({ phone_number: null, is_contact_limited: true });
    expect(numbersIn(await readPosts(`/api/posts/${ids[501]}`, reader))).toHaveLength(1);
  });

  test('is not exceeded by sixty concurrent requests', async () => {
    const reader = await newReader(newAddress());
    const paths = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 2 ? `/api/posts/${ids[600 + index]}` : `/api/posts?limit=20&search=nyeusi%20${index}`,
    );
    const answered = (await Promise.all(paths.map((path) => readPosts(path, reader)))).flat();
    const given = new Set(numbersIn(answered)).size;
    expect(given).toBeGreaterThanOrEqual(ACCOUNT);
    expect(given).toBeLessThanOrEqual(ACCOUNT + OPENINGS);
    expect(await rowsOf(reader.id)).toMatchObject([{ post_count: given }]);
  });

  test('does not count the phone numbers of the account’s own posts', async () => {
    const reader = await newReader(newAddress());
    const { id } = await newPost(reader);
    expect((await readNewest(reader, 300)).filter((given) => given !== id)).toHaveLength(ACCOUNT);
    for (const path of [`/api/posts/${id}`, '/api/posts/by-owner', '/api/posts?limit=1'])
      expect(await readPosts(path, reader)).toMatchObject([{ id, is_contact_limited: false, contact_opens_at: null }]);
    expect(numbersIn(await readPosts('/api/posts/by-owner', reader))).toEqual([id]);
    await env.DB.prepare('delete from posts where id = ?').bind(id).run();
  });

  test('also applies to a list of matches: if it runs out within the list, only the best matches show their phone numbers', async () => {
    const [reader, stranger] = [await newReader(newAddress()), await newReader(newAddress())];
    const { id } = await newPost(reader, { posted_by: 'owner', title: 'Kipande cha jumba' });
    await pairWith(id, ids.slice(700, 720));
    expect((await call('GET', `/api/posts/${id}/matches`, undefined, stranger)).status).toBe(403);
    expect(await rowsOf(stranger.id)).toEqual([]);
    await readPosts('/api/posts?limit=91', reader);
    const matches = await readPosts(`/api/posts/${id}/matches`, reader);
    expect(matches).toHaveLength(20);
    expect(numbersIn(matches)).toEqual(matches.slice(0, 10).map((post) => post.id));
    expect(matches.at(-1)).toMatchObject({ is_contact_limited: true });
    await env.DB.prepare('delete from posts where id = ?').bind(id).run();
  });

  test('does not count posts of a community that the user has not joined, because the user cannot see these posts', async () => {
    const reader = await newReader(newAddress());
    const { community, creator } = await newApprovedCommunity();
    await insertPosts(creator.id, ['Siri', 'Siri'], { communityId: community.id });
    const code = await env.DB.prepare('select community_code from communities where id = ?')
      .bind(community.id)
      .first<string>('community_code');
    expect((await call('GET', `/api/posts?community_code=${code}`, undefined, reader)).status).toBe(403);
    const hidden = await env.DB.prepare('select id from posts where community_id = ?').bind(community.id).first('id');
    expect((await call('GET', `/api/posts/${hidden}`, undefined, reader)).status).toBe(404);
    expect(await rowsOf(reader.id)).toEqual([]);
  });

  test('is stored in one database row per account and day, and is not used up by requests with an invalid token', async () => {
    const reader = await newReader(newAddress());
    const written = async () => (await rowsOf(reader.id)).map((row) => row.post_seqs);
    await readPosts('/api/posts?limit=20', reader);
    const once = await written();
    expect(once).toHaveLength(1);
    await readPosts('/api/posts?limit=20', reader);
    expect(await written()).toEqual(once);
    await env.DB.prepare('update users set token_version = 2 where id = ?').bind(reader.id).run();
    expect((await call('GET', '/api/posts?limit=50', undefined, reader)).status).toBe(401);
    expect(await written()).toEqual(once);
  });

  test('is fully available again the next day', async () => {
    const reader = await newReader(newAddress());
    await readNewest(reader, 200);
    expect(numbersIn(await readPosts('/api/posts?limit=1&search=nyeusi%20200', reader))).toEqual([]);
    await env.DB.prepare('update given_numbers set day_ends_at = day_ends_at - 86400000 where reader_id = ?')
      .bind(reader.id)
      .run();
    expect(numbersIn(await readPosts('/api/posts?limit=1&search=nyeusi%20200', reader))).toHaveLength(1);
  });

  test('ends early for an account without a proven phone number if such accounts in its IP network have together seen 1,000 numbers', async () => {
    const address = '2001:db8:7:7::1';
    const readFrom = async (reader: Person, from: number) =>
      numbersIn(await readPosts(`/api/posts?limit=100&cursor=${(posts[from]?.seq ?? 0) + 1}`, reader));
    for (let reader = 0; reader < 9; reader++)
      expect(await readFrom(await newReader(address), reader * 100)).toHaveLength(100);
    // A phone number that another account of the network has seen today does not count again for the network.
    expect(await readFrom(await newReader('2001:db8:7:7::2'), 0)).toHaveLength(100);
    expect(await readFrom(await newReader('2001:db8:7:7::3'), 850)).toHaveLength(100);
    expect(await readFrom(await newReader(address), 925)).toHaveLength(75);
    const last = await newReader(address);
    const crossing = await readFrom(last, 960);
    expect(crossing).toEqual(ids.slice(960, 1_000));
    expect(numbersIn(await readPosts('/api/posts?limit=20', last))).toHaveLength(20);
    await prove(last);
    expect(await readFrom(last, 1_000)).toHaveLength(100);
    expect(await readFrom(await newReader('2001:db8:7:8::1'), 1_000)).toHaveLength(100);
  });

  test('ends early if the accounts in the same IPv6 /56 or /48 network have together used up the limit of the network', async () => {
    const [, of56, of48] = networksOf('2001:db8:9:100::1').map((network) =>
      fingerprint(readConfig(env).keys.limit, 'given-numbers', network),
    );
    const readFrom = async (address: string, from: number) =>
      numbersIn(await readPosts(`/api/posts?limit=50&cursor=${(posts[from]?.seq ?? 0) + 1}`, await newReader(address)));
    const setCount = (id: string | undefined, count: number) =>
      env.DB.prepare('update given_numbers set post_count = ? where reader_id = ?').bind(count, id).run();
    expect(await readFrom('2001:db8:9:100::1', 0)).toHaveLength(50);
    await setCount(of56, 1_490);
    expect(await readFrom('2001:db8:9:101::1', 0)).toHaveLength(50);
    expect(await readFrom('2001:db8:9:101::1', 50)).toEqual(ids.slice(50, 60));
    await setCount(of48, 1_980);
    expect(await readFrom('2001:db8:9:102::1', 30)).toEqual(ids.slice(30, 60));
    expect(await readFrom('2001:db8:9:200::1', 50)).toEqual(ids.slice(50, 80));
    expect(await readFrom('2001:db8:a:100::1', 100)).toHaveLength(50);
  });

  test('is counted without storing any IP address in readable form', async () => {
    const reader = await newReader(newAddress());
    await readPosts('/api/posts?limit=20', reader);
    const { results } = await env.DB.prepare('select reader_id from given_numbers').all<{ reader_id: string }>();
    expect(JSON.stringify(results)).not.toMatch(/196\.42|2001:/);
  });

  test('does not apply to visitors, who never see phone numbers', async () => {
    const page = await readPosts('/api/posts', {});
    for (const post of page)
      expect(post).toMatchObject({ phone_number: null, is_contact_limited: false, contact_opens_at: null });
  });

  test('does not apply, and is not counted, if RATE_LIMITS is off in local development', async () => {
    const reader = await newReader(newAddress());
    const headers = { Authorization: `Bearer ${reader.token}` };
    for (const from of [0, 200, 400, 600]) {
      const path = `/api/posts?limit=100&cursor=${posts[from]?.seq}`;
      const request = new Request(ORIGIN + path, { headers });
      const answer = await app.fetch(request, { ...env, RATE_LIMITS: 'off' } as never, createExecutionContext());
      expect(numbersIn((await answer.json<PostEntry[]>()).map((entry) => entry.Post))).toHaveLength(100);
    }
    expect(await rowsOf(reader.id)).toEqual([]);
  });
});

const WITHOUT = { phone_number: null, is_author_proven: null, is_contact_limited: false, contact_opens_at: null };

async function countGiven({ id }: Person): Promise<unknown> {
  return env.DB.prepare('select post_count, notice_count from given_numbers where reader_id = ?').bind(id).first();
}

async function messagesOf(person: Person) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.map(({ message }) => message);
}

test('only the author sees the phone number of a post that accepts only claims', async () => {
  const [author, reader] = [await newPerson(), await newReader('10.9.0.1')];
  const { id, phone_number } = await newPost(author, { contact: 'claim', title: 'Pochi ya Mbagala' });
  expect(phone_number).toBe(somePost.phone_number);
  for (const path of [`/api/posts/${id}`, '/api/posts?limit=100', '/api/posts?search=Mbagala']) {
    const found = (await readPosts(path, reader)).find((post) => post.id === id);
    expect(found, path).toMatchObject({ ...WITHOUT, contact: 'claim' });
    expect(JSON.stringify(found)).not.toContain('712345678');
  }
  const { post_count } = ((await countGiven(reader)) ?? { post_count: 0 }) as { post_count: number };
  const others = (await readPosts('/api/posts?limit=100', reader)).filter((post) => post.phone_number !== null);
  expect(post_count).toBe(others.length);
  expect(await readPosts(`/api/posts/${id}`, author)).toMatchObject([{ phone_number: somePost.phone_number }]);
});

test('an author can choose whether a post shows their phone number or accepts only claims, and can change this choice later', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id, contact } = await newPost(author);
  expect(contact).toBe('number');
  for (const [sent, becomes] of [
    ['claim', 'claim'],
    [undefined, 'claim'],
    [null, 'number'],
  ] as const) {
    const body = { ...somePost, ...(sent !== undefined && { contact: sent }) };
    const [changed] = await postsIn(await call('PUT', `/api/posts/${id}`, body, author));
    expect(changed?.contact).toBe(becomes);
    const [seen] = await readPosts(`/api/posts/${id}`, reader);
    expect(seen?.phone_number).toBe(becomes === 'claim' ? null : somePost.phone_number);
  }
  expect((await call('PUT', `/api/posts/${id}`, { ...somePost, contact: 'email' }, author)).status).toBe(422);
});

test.each(['document', 'electronics'] as const)(
  'the phone number of a post of kind %s is shown, unless the author accepts only claims',
  async (kind) => {
    const [owner, finder] = [await newPerson(), await newPerson()];
    const { id } = await newPost(finder, { kind, title: `Kitu cha ${kind}` });
    const listed = (await readPosts(`/api/posts?limit=100&kind=${kind}`, owner)).find((post) => post.id === id);
    expect(listed).toMatchObject({ contact: 'number', phone_number: somePost.phone_number });
    const [lost, found] = [await saveMatched(owner, 'owner'), await saveMatched(finder, 'finder')];
    await env.DB.prepare('update posts set kind = ? where id = ?').bind(kind, found).run();
    await judge(lost, { [found]: 'sure' });
    expect(await messagesOf(owner)).toMatchObject([{ post_id: found, phone_number: somePost.phone_number }]);
  },
);

test('a match notice about a post that accepts only claims contains no phone number', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await saveMatched(owner, 'owner');
  const found = await saveMatched(finder, 'finder');
  await env.DB.prepare("update posts set contact = 'claim' where id = ?").bind(found).run();
  await judge(lost, { [found]: 'sure' });
  expect(await messagesOf(owner)).toMatchObject([{ post_id: found, phone_number: null, is_contact_limited: false }]);
  expect(await countGiven(owner)).toBeNull();
  await env.DB.prepare("update posts set contact = 'number' where id = ?").bind(found).run();
  expect(await messagesOf(owner)).toMatchObject([{ phone_number: null }]);
});

test('a match notice no longer shows a phone number once the matching post’s author accepts only claims', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await saveMatched(owner, 'owner');
  const found = await saveMatched(finder, 'finder');
  await judge(lost, { [found]: 'sure' });
  expect(await messagesOf(owner)).toMatchObject([{ phone_number: somePost.phone_number }]);
  await env.DB.prepare("update posts set contact = 'claim' where id = ?").bind(found).run();
  expect(await messagesOf(owner)).toMatchObject([{ phone_number: null }]);
});
