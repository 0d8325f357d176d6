import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import { communityCodeOf, newApprovedCommunity } from '#tests/worker/support/communities.ts';

function post(author: Person, key?: string, overrides: Record<string, unknown> = {}) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return call('POST', '/api/posts', { ...somePost, ...overrides }, { token: author.token, headers });
}

async function countPosts(author: Person) {
  const row = await env.DB.prepare('select count(*) as n from posts where author_id = ?')
    .bind(author.id)
    .first<{ n: number }>();
  return row?.n;
}

test('a request to create a post, repeated with its idempotency key, returns the first post', async () => {
  const author = await newPerson();
  const first = await (await post(author, 'ufunguo-1')).json<Post>();
  const again = await post(author, 'ufunguo-1');
  expect(again.status).toBe(201);
  expect(await again.json()).toEqual(first);
  expect(await countPosts(author)).toBe(1);
});

test('an idempotency key repeated with another body is refused, and creates no post', async () => {
  const author = await newPerson();
  await post(author, 'ufunguo-1');
  const answer = await post(author, 'ufunguo-1', { title: 'Kitu kingine' });
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([422, 'idempotency_mismatch']);
  expect(await countPosts(author)).toBe(1);
  expect((await post(author, 'ufunguo-1')).status).toBe(201);
});

test('only one of several concurrent requests with one idempotency key and different bodies creates a post', async () => {
  const author = await newPerson();
  const titles = ['Simu', 'Funguo', 'Begi', 'Pochi'];
  const answers = await Promise.all(titles.map((title) => post(author, 'sambamba', { title })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
  expect(await countPosts(author)).toBe(1);
});

test('an idempotency key is stored with only a digest of the request’s body', async () => {
  const author = await newPerson();
  await post(author, 'ufunguo');
  const kept = await env.DB.prepare('select body_digest from idempotency_keys where user_id = ?')
    .bind(author.id)
    .first<{ body_digest: string }>();
  expect(kept?.body_digest).toMatch(/^[\w-]{43}$/);
});

test('concurrent requests with one idempotency key create one post, and all return it', async () => {
  const author = await newPerson();
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(author, 'sambamba')));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  const ids = await Promise.all(answers.map(async (answer) => (await answer.json<Post>()).id));
  expect(new Set(ids).size).toBe(1);
  expect(await countPosts(author)).toBe(1);
});

test('a request with an idempotency key that another person has already used creates a new post', async () => {
  const [one, other] = [await newPerson(), await newPerson()];
  const [mine, theirs] = [await post(one, 'ufunguo'), await post(other, 'ufunguo')];
  expect((await mine.json<Post>()).id).not.toBe((await theirs.json<Post>()).id);
});

test('a request to create a post, repeated with a different idempotency key or without a key, creates a second post', async () => {
  const author = await newPerson();
  for (const key of ['a', 'b', undefined, undefined, '  ']) expect((await post(author, key)).status).toBe(201);
  expect(await countPosts(author)).toBe(5);
});

test('a request with an idempotency key whose post was deleted is refused as a conflict, and creates no post', async () => {
  const author = await newPerson();
  const { id } = await (await post(author, 'ufunguo')).json<Post>();
  await call('DELETE', `/api/posts/${id}`, undefined, author);
  const answer = await post(author, 'ufunguo');
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([409, 'idempotency_conflict']);
  expect(await countPosts(author)).toBe(0);
});

test('an idempotency key is deleted after 24 hours', async () => {
  const author = await newPerson();
  const first = await (await post(author, 'wa zamani')).json<Post>();
  const age = (hours: number) =>
    env.DB.prepare('update idempotency_keys set created_at = ? where user_id = ?')
      .bind(Date.now() - hours * HOUR_MS, author.id)
      .run();
  await age(23.9);
  expect(await (await post(author, 'wa zamani')).json()).toEqual(first);
  await age(24.1);
  expect((await (await post(author, 'wa zamani')).json<Post>()).id).not.toBe(first.id);
  expect(await countPosts(author)).toBe(2);
});

test('the idempotency key of a refused request to create a post can be used again', async () => {
  const author = await newPerson();
  expect((await post(author, 'ufunguo', { title: '' })).status).toBe(422);
  expect((await post(author, 'ufunguo', { community_code: 'HAKUNA99' })).status).toBe(403);
  expect((await post(author, 'ufunguo')).status).toBe(201);
});

test('repeating a request that created a community’s post succeeds even after the author’s membership has ended', async () => {
  const { community, creator } = await newApprovedCommunity();
  const inCommunity = { community_code: await communityCodeOf(community.id, creator) };
  const first = await (await post(creator, 'ufunguo', inCommunity)).json<Post>();
  await env.DB.prepare('delete from memberships where community_id = ?').bind(community.id).run();
  expect((await post(creator, 'ufunguo mpya', inCommunity)).status).toBe(403);
  expect(await (await post(creator, 'ufunguo', inCommunity)).json()).toEqual(first);
});

test('an idempotency key of 128 characters is accepted, and a longer key is refused as malformed', async () => {
  const author = await newPerson();
  expect((await post(author, 'k'.repeat(128))).status).toBe(201);
  expect((await post(author, 'k'.repeat(129))).status).toBe(400);
});

test('a person can create 30 posts a day; a further request is refused, and the response says how long to wait', async () => {
  const [author, other] = [await newPerson(), await newPerson()];
  const answers = await Promise.all(Array.from({ length: 33 }, () => post(author)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(30).fill(201), 429, 429, 429]);
  for (const answer of answers.filter(({ status }) => status === 429)) {
    const seconds = Number(answer.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(23 * 60 * 60);
    expect(seconds).toBeLessThanOrEqual(24 * 60 * 60);
  }
  expect(await countPosts(author)).toBe(30);
  expect((await post(other)).status).toBe(201);
  const late = await post(author, 'ufunguo mpya');
  expect([late.status, (await late.json<ErrorBody>()).code]).toEqual([429, 'too_many_requests']);
  expect(late.headers.get('Retry-After')).toMatch(/^\d+$/);
  await env.DB.prepare("update rate_counters set window_ends_at = 1 where subject like 'post:%'").run();
  expect((await post(author, 'ufunguo mpya')).status).toBe(201);
});

test('the idempotency key of a request that was refused because of the daily limit of posts can be used again', async () => {
  const author = await newPerson();
  const answers = await Promise.all(Array.from({ length: 33 }, (_, index) => post(author, `k${index}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  const keys = await env.DB.prepare('select count(*) as n from idempotency_keys where user_id = ?')
    .bind(author.id)
    .first();
  expect(keys).toEqual({ n: 30 });
});

test('repeating a successful request to create a post succeeds even if the daily limit of posts is used up', async () => {
  const author = await newPerson();
  const first = await (await post(author, 'wa kwanza')).json<Post>();
  const { id } = await newPost(author);
  await call('DELETE', `/api/posts/${id}`, undefined, author);
  await Promise.all(Array.from({ length: 28 }, () => post(author)));
  expect((await post(author)).status).toBe(429);
  expect(await (await post(author, 'wa kwanza')).json()).toEqual(first);
});

test('a person can change posts 60 times a day; a further request is refused, and the response says how long to wait', async () => {
  const [author, other] = [await newPerson(), await newPerson()];
  const [mine, second, theirs] = [await newPost(author), await newPost(author), await newPost(other)];
  const put = (person: Person, id: string, title: string) =>
    call('PUT', `/api/posts/${id}`, { ...somePost, title }, person);
  const refused = [
    await put(author, mine.id, ''),
    await put(author, theirs.id, 'Simu'),
    await put(author, 'x', 'Simu'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 403, 404]);

  const answers = await Promise.all(
    Array.from({ length: 63 }, (_, index) => put(author, index % 2 ? mine.id : second.id, `Simu ${index}`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(60).fill(200), 429, 429, 429]);
  const late = await put(author, mine.id, 'Baada ya kikomo');
  expect([late.status, (await late.json<ErrorBody>()).code]).toEqual([429, 'too_many_requests']);
  expect(Number(late.headers.get('Retry-After'))).toBeGreaterThan(23 * 60 * 60);
  const { title } = await (await call('GET', `/api/posts/${mine.id}`)).json<Post>();
  expect(title).toMatch(/^Simu/);

  expect((await put(other, theirs.id, 'Begi')).status).toBe(200);
  expect((await post(author)).status).toBe(201);
  await env.DB.prepare("update rate_counters set window_ends_at = 1 where subject like 'post_update:%'").run();
  expect((await put(author, mine.id, 'Kesho')).status).toBe(200);
});
