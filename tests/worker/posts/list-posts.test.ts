import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { type PostEntry, postListQuerySchema } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newCommunity } from '#tests/worker/support/communities.ts';
import { counting, expectTrips } from '#tests/worker/support/count-trips.ts';
import { insertPosts } from '#tests/worker/support/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { askAuthors, restUnansweredPosts } from '#worker/posts/ask-and-rest.ts';
import { selectList } from '#worker/posts/list-posts.ts';

describe('filters of the list of posts', () => {
  let member: Person;
  let code: string;

  /** One post a line: the end of its title, its side, kind, state and place, and its age in days. */
  const POSTS = [
    ['a', 'owner', 'bag', 'open', 'Mbezi Beach, Dar', 20],
    ['b', 'finder', 'bag', 'found', 'Mbezi Luis', 15],
    ['c', 'finder', 'key', 'open', 'Posta, karibu na 0612 345 678', 10],
    ['d', 'owner', 'key', 'found', 'Posta', 5],
    ['e', 'owner', 'bag', 'open', 'Moshi', 0],
  ] as const;
  const NOW = Date.now();
  const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

  beforeAll(async () => {
    member = await newPerson();
    const { community } = await newApprovedCommunity();
    await join(community.access_code, member);
    code = await communityCodeOf(community.id, member);
    for (const community_code of [null, code]) {
      for (const [title, posted_by, kind, state, location, age] of POSTS) {
        const post = {
          title: `kichujio ${title}`,
          description: 'Mbezi mbali',
          posted_by,
          kind,
          location,
          community_code,
        };
        const { id } = await newPost(member, post);
        await env.DB.prepare('update posts set is_found = ?, created_at = ? where id = ?')
          .bind(state === 'found' ? 1 : 0, NOW - age * DAY_MS, id)
          .run();
      }
    }
  });

  const list = async (query: string, viewer: { token?: string } = {}) =>
    (await (await call('GET', `/api/posts?${query}`, undefined, viewer)).json<PostEntry[]>())
      .map(({ Post }) => Post.title.replace('kichujio ', ''))
      .join('');

  const FILTERS = [
    ['kind=bag', 'eba'],
    ['kind=key&posted_by=owner', 'd'],
    ['kind=bag&open=1', 'ea'],
    ['kind=bag&open=1&posted_by=finder', ''],
    ['open=1', 'eca'],
    ['open=1&posted_by=finder', 'c'],
    [`since=${daysAgo(12)}`, 'edc'],
    [`since=${daysAgo(12)}&kind=key`, 'dc'],
    [`since=${daysAgo(12)}&open=1`, 'ec'],
    [`since=${daysAgo(12)}&posted_by=owner`, 'ed'],
    [`since=${daysAgo(12)}&kind=bag&open=1&posted_by=owner`, 'e'],
    [`since=${daysAgo(-1)}`, ''],
    [`since=${daysAgo(0)}`, 'e'],
    [`since=${daysAgo(5)}`, 'ed'],
    ['place=mbezi', 'ba'],
    ['place=MBEZI%20%20beach', 'a'],
    ['place=po', 'dc'],
    ['place=mbezi&kind=bag&open=1', 'a'],
    [`place=mbezi&since=${daysAgo(16)}`, 'b'],
    [`place=po&since=${daysAgo(7)}`, 'd'],
    ['place=mbezi&search=kichujio', 'ba'],
    ['place=mbezi&search=posta', ''],
    [`search=kichujio&kind=key&open=1&since=${daysAgo(11)}`, 'c'],
    ['kind=&place=&since=&open=', 'edcba'],
  ] as const;

  test.each(FILTERS)(
    'the query %s lists exactly the posts “%s” (each letter is one post), newest first',
    async (query, titles) => {
      expect(await list(query)).toBe(titles);
      expect(await list(`${query}&community_code=${code}`, member)).toBe(titles);
      expect([...(await list(query, member))].sort()).toEqual([...titles, ...titles].sort());
    },
  );

  test.each(FILTERS.filter(([, titles]) => titles.length > 1))(
    'the query %s with limit=1 lists the same posts as without a limit, one a page',
    async (query, titles) => {
      const seen: string[] = [];
      let path: string | undefined = `/api/posts?${query}&limit=1`;
      while (path !== undefined) {
        const answer: Response = await call('GET', path);
        seen.push(...(await answer.json<PostEntry[]>()).map(({ Post }) => Post.title.replace('kichujio ', '')));
        path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      }
      expect(seen.join('')).toBe(titles);
    },
  );

  test('for a visitor the place filter does not find a post by a phone number that is written in the post’s place', async () => {
    for (const place of ['0612', '12 345', '61']) {
      expect(await list(`place=${place}`)).toBe('');
      expect(await list(`place=${place}&community_code=${code}`, member)).toBe('c');
    }
  });

  async function deletePostsOf({ id }: Person): Promise<void> {
    await env.DB.prepare('delete from posts where author_id = ?').bind(id).run();
  }

  test('a date or time without a time zone in the filter “since” is read as Dar es Salaam time', async () => {
    const author = await newPerson();
    onTestFinished(() => deletePostsOf(author));
    const { id } = await newPost(author, { title: 'usiku wa manane' });
    const at = (iso: string) =>
      env.DB.prepare('update posts set created_at = ? where id = ?').bind(Date.parse(iso), id).run();
    const isListed = async (since: string) => (await list(`search=manane&since=${encodeURIComponent(since)}`)) !== '';
    await at('2026-03-04T21:00:00.000Z');
    for (const since of ['2026-03-05', '2026-03-05T00:00', '2026-03-04T21:00:00Z', '2026-03-05T02:00:00+05:00'])
      expect(await isListed(since), since).toBe(true);
    await at('2026-03-04T20:59:59.999Z');
    for (const since of ['2026-03-05', '2026-03-05T00:00:00', '2026-03-04T21:00:00Z'])
      expect(await isListed(since), since).toBe(false);
  });

  test('the filter “since” finds posts by their creation time, even if the posts were stored in another order', async () => {
    const author = await newPerson();
    onTestFinished(() => deletePostsOf(author));
    const since = Date.parse('2026-03-06T00:00:00Z');
    for (const ms of [60_000, 0, -1]) {
      const { id } = await newPost(author, { title: `saa tofauti ${ms}` });
      await env.DB.prepare('update posts set created_at = ? where id = ?')
        .bind(since + ms, id)
        .run();
    }
    expect(await list('search=tofauti&since=2026-03-06T00:00:00Z')).toBe('saa tofauti 0saa tofauti 60000');
  });

  test.each([
    ['kind', 'phone'],
    ['open', '0'],
    ['open', 'true'],
    ['since', 'yesterday'],
    ['since', '2026-02-30'],
    ['since', '1767225600'],
    ['place', 'x'.repeat(121)],
  ])('the invalid filter %s=%s is refused', async (field, value) => {
    const answer = await call('GET', `/api/posts?${field}=${value}`);
    expect(answer.status).toBe(422);
    expect((await answer.json<ErrorBody>()).errors).toEqual([{ field, message: expect.any(String) }]);
  });
});

describe('the list of posts', () => {
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

  test('has each post under the key “Post”, newest first, 50 a page, with a link to the next page', async () => {
    const author = await newPerson();
    await insertPosts(author.id, names('ukurasa', 120).reverse());
    const first = await list('/api/posts');
    expect(first.posts).toHaveLength(50);
    expect(first.posts.map((post) => post.title)).toEqual(names('ukurasa', 120).slice(0, 50));
    expect(first.next).toMatch(/^\/api\/posts\?cursor=\d+$/);
    expect((await walk('/api/posts?search=ukurasa&limit=7')).length).toBe(120);
  });

  test.each([1, 7, 100])(
    'in pages of %i posts contains each post once, even if new posts are created between two requests',
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

  test('keeps the filters on the next page', async () => {
    const author = await newPerson();
    await insertPosts(author.id, names('Kofia & shati', 3));
    const { next } = await list('/api/posts?limit=2&search=kofia%20%26&posted_by=finder');
    const params = new URLSearchParams(next?.split('?')[1]);
    expect(Object.fromEntries(params)).toMatchObject({ limit: '2', search: 'kofia &', posted_by: 'finder' });
    expect((await list(next ?? '')).posts).toHaveLength(1);
  });

  test('has no next page if all posts together fill exactly one page', async () => {
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
  ])('with the parameter %s is refused with 422, and the error names the invalid parameter', async (query, field) => {
    const author = await newPerson();
    for (const path of ['/api/posts', '/api/posts/by-owner']) {
      const answer = await call('GET', `${path}?${query}`, undefined, author);
      const { errors } = await answer.json<ErrorBody>();
      expect([answer.status, errors?.map((error) => error.field)], path).toEqual([422, [field]]);
    }
  });

  test('is empty for a cursor older than every post, and not empty for a cursor newer than every post', async () => {
    expect((await list('/api/posts?cursor=1')).posts).toEqual([]);
    expect((await list('/api/posts?cursor=9999999999999999&limit=1')).posts).toHaveLength(1);
  });

  test('can be filtered by side with the parameter posted_by', async () => {
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

  test('at /api/posts/by-owner contains only the user’s own posts, including returned posts', async () => {
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

  test('contains a community’s post only for members; searching and opening the post follow the same rule', async () => {
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

  test('of a community contains only the community’s posts, and searching the list finds only these', async () => {
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

  test('of a community gives 401 to visitors and 403 to people who are not members, whether the community exists or not', async () => {
    const { code } = await communityWithPost('mlango');
    const stranger = await newPerson();
    for (const community_code of [code, 'HAKUNA99']) {
      const path = `/api/posts?community_code=${community_code}`;
      expect((await call('GET', path)).status).toBe(401);
      const answer = await call('GET', path, undefined, stranger);
      expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([403, 'not_a_member']);
    }
  });

  test('of a community gets new posts only from the community’s members, and only after the community is approved', async () => {
    const { code, member } = await communityWithPost('kuhama');
    const stranger = await newPerson();
    const pending = await newCommunity(stranger);
    const pendingCode = await communityCodeOf(pending.id, stranger);
    const { id } = await newPost(stranger);
    const attempt = async (method: string, path: string, community_code: string, person: Person) => {
      const answer = await call(
        method,
        path,
        { title: 'x', location: 'y', phone_number: '112', community_code },
        person,
      );
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
    'for a visitor’s query “%s” is read by SQL that does not check memberships, blocks or admin rights',
    (query) => {
      const { tables, listed, floor } = selectList(
        null,
        postListQuerySchema.parse(Object.fromEntries(new URLSearchParams(query))),
      );
      const text = new SQLiteAsyncDialect().sqlToQuery(sql`${tables} ${listed} ${floor}`).sql;
      expect(text).toContain('hidden_by = 0');
      expect(text).not.toMatch(/memberships|blocks|is_platform_admin/);
    },
  );
});

describe('the number of database rows read, with many closed and resting posts', () => {
  const AWAY = 6_000;
  const THERE = 60;
  /** The most rows that a page may read: for each post two index entries, the post, its photos and its phone number. */
  const PAGE_ROWS_MAX = 50 * 8;
  /** The most rows that a scheduled sweep may read: a hundred posts, a few times each, and the rows that it writes. */
  const SWEEP_ROWS_MAX = 100 * 40;
  const NOTHING_DUE_ROWS_MAX = 100;

  let author: Person;

  beforeAll(async () => {
    await env.DB.exec('delete from posts');
    author = await newPerson();
    const titles = (count: number) => Array.from({ length: count }, (_, index) => `Simu nyeusi ${index}`);
    await insertPosts(author.id, titles(THERE));
    // The newest posts are closed or resting. A scan from the newest post would read all of them.
    await insertPosts(author.id, titles(AWAY));
  }, 120_000);

  // A scheduled sweep changes which posts rest, so each test resets the posts.
  beforeEach(async () => {
    const isAway = 'seq > (select min(seq) + ? from posts)';
    await env.DB.prepare(
      `update posts set away_since = iif(${isAway}, 1, null) where (away_since is null) = (${isAway})`,
    )
      .bind(THERE - 1, THERE - 1)
      .run();
  });

  test.each([
    ['the newest posts', '/api/posts', 50],
    ['posts of one side', '/api/posts?posted_by=finder', 50],
    ['open posts', '/api/posts?open=1', 50],
    ['posts of one kind', '/api/posts?kind=electronics', 50],
  ])('stays within a limit for a list of %s', async (_name, path, posts) => {
    const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path);
    expect((await answer.json<PostEntry[]>()).length).toBe(posts);
    expect(rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX);
  });

  test('stays within a limit when the scheduled job asks authors about old posts and lets unanswered posts rest', async () => {
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
});
