import { sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { type PostEntry, postListQuerySchema } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newCommunity } from '#tests/worker/support/communities.ts';
import { insertPosts } from '#tests/worker/support/posts.ts';
import { selectList } from '#worker/posts/list-posts.ts';

async function list(path: string, viewer: { token?: string } = {}) {
  const answer = await call('GET', path, undefined, viewer);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  const entries = await answer.json<PostEntry[]>();
  const link = answer.headers.get('Link');
  return {
    posts: entries.map((entry) => entry.Post),
    next: link && (/^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? 'malformed'),
  };
}

/** Follows the Link header to the end. @param onPage is called after each page, to change data in between. */
async function walk(path: string, viewer: { token?: string } = {}, onPage: () => Promise<unknown> = async () => {}) {
  const titles: string[] = [];
  for (let next: string | null = path; next; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(next, viewer);
    titles.push(...page.posts.map((post) => post.title));
    next = page.next;
    await onPage();
  }
  return titles;
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix} ${count - index}`);
}

test('the list has posts under Post, newest first, 50 a page, and links the next page', async () => {
  const author = await newPerson();
  await insertPosts(author.id, names('ukurasa', 120).reverse());
  const first = await list('/api/posts');
  expect(first.posts).toHaveLength(50);
  expect(first.posts.map((post) => post.title)).toEqual(names('ukurasa', 120).slice(0, 50));
  expect(first.next).toMatch(/^\/api\/posts\?cursor=\d+$/);
  expect((await walk('/api/posts?search=ukurasa&limit=7')).length).toBe(120);
});

test.each([1, 7, 100])(
  'with %i a page the whole list comes once, without gaps, while posts are added',
  async (limit) => {
    const author = await newPerson();
    const word = `mfululizo${limit}x`;
    await insertPosts(author.id, names(word, 21).reverse());
    const walks = { all: `/api/posts?limit=${limit}&search=${word}`, own: `/api/posts/by-owner?limit=${limit}` };
    for (const path of Object.values(walks)) {
      const seen = await walk(path, author, () => insertPosts(author.id, ['mpya kabisa']));
      expect(seen.filter((title) => title.startsWith(word))).toEqual(names(word, 21));
    }
  },
);

test('the next page keeps the filters', async () => {
  const author = await newPerson();
  await insertPosts(author.id, names('Kofia & shati', 3));
  const { next } = await list('/api/posts?limit=2&search=kofia%20%26&posted_by=finder');
  const params = new URLSearchParams(next?.split('?')[1]);
  expect(Object.fromEntries(params)).toMatchObject({ limit: '2', search: 'kofia &', posted_by: 'finder' });
  expect((await list(next ?? '')).posts).toHaveLength(1);
});

test('a page that is exactly full has no next page', async () => {
  const author = await newPerson();
  await insertPosts(author.id, names('kamili', 4));
  expect((await list('/api/posts?search=kamili&limit=4')).next).toBeNull();
  expect((await list('/api/posts/by-owner?limit=4', author)).next).toBeNull();
  expect((await list('/api/posts/by-owner?limit=3', author)).next).not.toBeNull();
});

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=5&limit=6', 'limit'],
  ['cursor=0', 'cursor'],
  ['cursor=abc', 'cursor'],
  ['cursor=-5', 'cursor'],
  ['cursor=', 'cursor'],
  ['cursor=1%20or%201', 'cursor'],
  ['cursor=99999999999999999', 'cursor'],
])('%s gives 422 and is named, in both lists', async (query, field) => {
  const author = await newPerson();
  for (const path of ['/api/posts', '/api/posts/by-owner']) {
    const answer = await call('GET', `${path}?${query}`, undefined, author);
    const { errors } = await answer.json<ErrorBody>();
    expect([answer.status, errors?.map((error) => error.field)], path).toEqual([422, [field]]);
  }
});

test('a cursor beyond the end or the beginning gives a valid page', async () => {
  expect((await list('/api/posts?cursor=1')).posts).toEqual([]);
  expect((await list('/api/posts?cursor=9999999999999999&limit=1')).posts).toHaveLength(1);
});

test('posted_by filters the list by side', async () => {
  const author = await newPerson();
  await newPost(author, { title: 'aina moja', posted_by: 'owner' });
  await newPost(author, { title: 'aina nyingine', posted_by: 'finder' });
  const titles = async (kind: string) =>
    (await list(`/api/posts?search=aina&posted_by=${kind}`)).posts.map((post) => post.title);
  expect(await titles('owner')).toEqual(['aina moja']);
  expect(await titles('finder')).toEqual(['aina nyingine']);
  expect(await titles('')).toHaveLength(2);
  expect((await call('GET', '/api/posts?posted_by=thief')).status).toBe(422);
});

test('the own list contains only own posts, open and found', async () => {
  const [author, other] = [await newPerson(), await newPerson()];
  const found = await newPost(author, { title: 'cha kwangu' });
  await call('PATCH', `/api/posts/${found.id}/found`, undefined, author);
  await newPost(other);
  const { posts } = await list('/api/posts/by-owner', author);
  expect(posts.map(({ id, is_found, is_mine }) => ({ id, is_found, is_mine }))).toEqual([
    { id: found.id, is_found: true, is_mine: true },
  ]);
  expect((await list('/api/posts/by-owner', await newPerson())).posts).toEqual([]);
});

/** A community with a member and their post, whose title is the given word. */
async function communityWithPost(title: string) {
  const { community, creator } = await newApprovedCommunity({ name: `Jumuiya ya ${title}` });
  const member = await newPerson();
  await join(community.access_code, member);
  const code = await communityCodeOf(community.id, creator);
  const post = await newPost(member, { title, community_code: code });
  return { community, creator, member, code, post };
}

test('only members see a community’s post: in the list, in a search, and directly', async () => {
  const { creator, member, code, post, community } = await communityWithPost('sirijumuiya');
  const stranger = await newPerson();
  expect(post).toMatchObject({ community_code: code, community_name: 'Jumuiya ya sirijumuiya' });
  const sees = async (viewer: { token?: string }) => [
    (await list('/api/posts?limit=5', viewer)).posts.some(({ id }) => id === post.id),
    (await list('/api/posts?search=sirijumuiya', viewer)).posts.length === 1,
    (await list('/api/posts?search=si', viewer)).posts.some(({ id }) => id === post.id),
    (await call('GET', `/api/posts/${post.id}`, undefined, viewer)).status === 200,
  ];
  expect(await sees(creator)).toEqual([true, true, true, true]);
  expect(await sees(member)).toEqual([true, true, true, true]);
  expect(await sees(stranger)).toEqual([false, false, false, false]);
  expect(await sees({})).toEqual([false, false, false, false]);
  for (const spelled of [code, code.toLowerCase(), community.access_code, `  ${code} `]) {
    const path = `/api/posts?community_code=${encodeURIComponent(spelled)}`;
    expect(
      (await list(path, creator)).posts.map(({ id }) => id),
      spelled,
    ).toEqual([post.id]);
  }
});

test('with a community, only its posts are listed and searched', async () => {
  const { creator, code, post } = await communityWithPost('pekeejumuiya');
  await newPost(creator, { title: 'pekeejumuiya hadharani' });
  expect((await list(`/api/posts?community_code=${code}`, creator)).posts.map(({ id }) => id)).toEqual([post.id]);
  for (const search of ['pekeejumuiya', 'PE', 'pekee%20jum'])
    expect(
      (await list(`/api/posts?community_code=${code}&search=${search}`, creator)).posts.map(({ id }) => id),
    ).toEqual([post.id]);
  expect((await list(`/api/posts?community_code=${code}&search=hadharani`, creator)).posts).toEqual([]);
  expect((await list('/api/posts?community_code=&search=pekeejumuiya', creator)).posts).toHaveLength(2);
});

test('a community’s list gives visitors 401 and other non-members 403, existing or not', async () => {
  const { code } = await communityWithPost('mlango');
  const stranger = await newPerson();
  for (const community_code of [code, 'HAKUNA99']) {
    const path = `/api/posts?community_code=${community_code}`;
    expect((await call('GET', path)).status).toBe(401);
    const answer = await call('GET', path, undefined, stranger);
    expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([403, 'not_a_member']);
  }
});

test('posting into and moving to a community need membership and approval', async () => {
  const { code, member } = await communityWithPost('kuhama');
  const stranger = await newPerson();
  const pending = await newCommunity(stranger);
  const pendingCode = await communityCodeOf(pending.id, stranger);
  const { id } = await newPost(stranger);
  const attempt = async (method: string, path: string, community_code: string, person: Person) => {
    const answer = await call(method, path, { title: 'x', location: 'y', phone_number: '112', community_code }, person);
    return [answer.status, (await answer.json<ErrorBody>()).code];
  };
  for (const [method, path] of [
    ['POST', '/api/posts'],
    ['PUT', `/api/posts/${id}`],
  ] as const) {
    expect(await attempt(method, path, code, stranger)).toEqual([403, 'not_a_member']);
    expect(await attempt(method, path, 'HAKUNA99', stranger)).toEqual([403, 'not_a_member']);
    expect(await attempt(method, path, pendingCode, stranger)).toEqual([403, 'community_not_approved']);
  }
  const own = await newPost(member);
  const moved = await call(
    'PUT',
    `/api/posts/${own.id}`,
    { title: 'x', location: 'y', phone_number: '112', community_code: code },
    member,
  );
  expect(await moved.json()).toMatchObject({ community_code: code });
  expect((await call('GET', `/api/posts/${own.id}`)).status).toBe(404);
});

test.each(['', 'kind=document', 'open=1&posted_by=owner', 'search=simu', 'search=ya'])(
  'a visitor’s page of “%s” needs no data about a person',
  (query) => {
    const { tables, found, floor } = selectList(
      null,
      postListQuerySchema.parse(Object.fromEntries(new URLSearchParams(query))),
    );
    const text = new SQLiteAsyncDialect().sqlToQuery(sql`${tables} ${found} ${floor}`).sql;
    expect(text).toContain('hidden_by = 0');
    expect(text).not.toMatch(/memberships|blocks|is_platform_admin/);
  },
);
