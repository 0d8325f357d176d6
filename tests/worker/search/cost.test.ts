import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PostEntry } from '#contract/posts.ts';
import { newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity } from '#tests/worker/support/communities.ts';
import { countTrips, expectTrips } from '#tests/worker/support/count-trips.ts';
import { insertPosts } from '#tests/worker/support/posts.ts';

describe('the cost of reading and searching posts', () => {
  const POSTS = 20_000;
  const PAGE = 50;
  /**
   * The most rows that a page may read: for each post an index entry, the post itself, its phone number and its photos.
   * A search first reads ten posts for each of three index entries to find the rarest entry. SQLite counts some reads
   * several times.
   */
  const PAGE_ROWS_MAX = PAGE * 9 + 20 + 3 * 11 * 9;
  /** The most rows that a page may read if the Worker also counts and sorts the phone numbers on the page. */
  const COUNTED_PAGE_ROWS_MAX = PAGE * 18;
  /**
   * A page with too few results reads 1,000 posts that may match, and their words: once for the page, and once for the
   * cursor of the next page.
   */
  const LIKELY_MAX = 1_000;
  const LIKELY_ROWS_MAX = LIKELY_MAX * 8;
  const PAGES_MAX = POSTS / LIKELY_MAX + 2;

  let author: Person;
  let member: Person;
  let bigCode: string;
  let smallCode: string;
  let ownPostId: string;

  beforeAll(async () => {
    const [big, small] = [await newApprovedCommunity(), await newApprovedCommunity()];
    [author, member] = [await newPerson(), await newPerson()];
    for (const { community } of [big, small]) await join(community.access_code, member);
    bigCode = await communityCodeOf(big.community.id, member);
    smallCode = await communityCodeOf(small.community.id, member);
    const titles = Array.from({ length: POSTS }, (_, index) => `Simu nyeusi namba ${index}`);
    await insertPosts(author.id, ['Nimepoteza kofia'], { postedBy: 'owner' });
    await insertPosts(author.id, ['Siri yetu sote', 'Pochi ya kipekeexyz qz', ...titles.slice(0, 12_000)]);
    await insertPosts(
      author.id,
      ['Begi la jumuiya', ...titles.slice(12_000, 18_000).map((title) => `Siri yetu: ${title}`)],
      {
        communityId: big.community.id,
      },
    );
    await insertPosts(author.id, ['Simu ya jumuiya ndogo'], { communityId: small.community.id });
    await insertPosts(author.id, titles.slice(18_000));
    await newPost(member, { title: 'Ufunguo', kind: 'key' });
    ({ id: ownPostId } = await newPost(member, { title: 'Kofia ya mwenyewe' }));
  }, 120_000);

  test('the database of these tests has 20,000 posts', async () => {
    const row = await env.DB.prepare('select count(*) as n from posts').first<{ n: number }>();
    expect(row?.n).toBeGreaterThanOrEqual(POSTS);
  });

  test.each([
    ['a page of the newest posts', '/api/posts', PAGE],
    ['a page of old posts', '/api/posts?cursor=9000', PAGE],
    ['a page of finders’ posts', '/api/posts?posted_by=finder', PAGE],
    ['a page of owners’ posts, which are rare', '/api/posts?posted_by=owner', 1],
    ['a search for a word in every post', '/api/posts?exact=1&search=simu', PAGE],
    ['a search for parts of common words', '/api/posts?exact=1&search=imu%20nyeu', PAGE],
    ['a search for a rare word', '/api/posts?exact=1&search=kipekeexyz', 1],
    ['a search for a rare and a common word', '/api/posts?exact=1&search=nyeusi%20kipekeexyz', 0],
    ['a search for a word in no post', '/api/posts?exact=1&search=hakunakabisa', 0],
  ])(
    'when a visitor requests %s, the Worker makes one database call and reads only a few more rows than it returns',
    async (_what, path, count) => {
      const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path);
      expect(await answer.json()).toHaveLength(count);
      expect(rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX);
    },
  );

  test('a visitor’s request for a later page of a search takes one database call and reads only a few more rows than the page shows', async () => {
    const { answer } = await expectTrips(1, 200, 'GET', '/api/posts?exact=1&search=simu');
    const next = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1] ?? '';
    const { answer: page, rowsRead } = await expectTrips(1, 200, 'GET', next.replace(/words-\d+/, 'words-9000'));
    expect(await page.json()).toHaveLength(PAGE);
    expect(rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX);
  });

  const SINCE = new Date(Date.now() - 3_600_000).toISOString();

  /** The posts of each combination of side and state are read separately and merged. */
  const FILTERED_ROWS_MAX = 4 * PAGE_ROWS_MAX;

  test.each([
    ['posts of a kind that nearly all posts have', 'kind=electronics', PAGE],
    ['posts of a rare kind', 'kind=key', 1],
    ['posts of a kind that no post has', 'kind=animal', 0],
    ['open posts', 'open=1', PAGE],
    ['open posts of a kind', 'open=1&kind=electronics', PAGE],
    ['owners’ posts of a kind', 'kind=electronics&posted_by=owner', 1],
    ['owners’ open posts', 'open=1&posted_by=owner', 1],
    ['owners’ open posts of a kind', 'open=1&posted_by=owner&kind=key', 0],
    ['recent posts', `since=${SINCE}`, PAGE],
    ['recent posts with all filters', `since=${SINCE}&open=1&posted_by=finder&kind=electronics`, PAGE],
    ['tomorrow’s posts', 'since=2100-01-01', 0],
    ['posts at a common place', 'place=kariakoo', PAGE],
    ['tomorrow’s posts at a common place', 'place=kariakoo&since=2100-01-01', 0],
    ['tomorrow’s posts at a place of two letters', 'place=ka&since=2100-01-01', 0],
    ['posts at a place that no post has', 'place=hakunakabisa', 0],
  ])(
    'a list of %s takes one database call and reads only a few more rows than it shows',
    async (_what, query, count) => {
      const visitor = await expectTrips(1, 200, 'GET', `/api/posts?${query}`);
      expect(await visitor.answer.json()).toHaveLength(count);
      expect(visitor.rowsRead).toBeLessThanOrEqual(FILTERED_ROWS_MAX);
      const { rowsRead } = await expectTrips(1, 200, 'GET', `/api/posts?${query}`, member);
      expect(rowsRead).toBeLessThanOrEqual(FILTERED_ROWS_MAX * 3);
    },
  );

  test('a list filtered by a common place, a common kind and a rare side reaches even the oldest post, and each page has a bounded cost', async () => {
    let path: string | undefined = '/api/posts?place=kariakoo&posted_by=owner&kind=electronics';
    let seen = 0;
    for (let page = 1; path; page++) {
      const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path);
      expect(rowsRead).toBeLessThanOrEqual(LIKELY_ROWS_MAX);
      seen += (await answer.json<[]>()).length;
      path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      expect(page).toBeLessThanOrEqual(PAGES_MAX);
    }
    expect(seen).toBe(1);
  });

  test.each([
    ['a page of the newest posts', () => '/api/posts', PAGE],
    ['a search', () => '/api/posts?exact=1&search=simu', PAGE],
    ['the list of a big community', () => `/api/posts?community_code=${bigCode}`, PAGE],
    ['the list of a small community', () => `/api/posts?community_code=${smallCode}`, 1],
    ['a search in a small community', () => `/api/posts?community_code=${smallCode}&exact=1&search=simu`, 1],
    ['a two-letter search in a small community', () => `/api/posts?community_code=${smallCode}&exact=1&search=ya`, 1],
    ['the list of their own posts', () => '/api/posts/by-owner', 2],
  ])(
    'when a member requests %s, the Worker makes one database call and reads only a few more rows than it returns',
    async (_what, path, count) => {
      const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path(), member);
      expect(await answer.json()).toHaveLength(count);
      expect(rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX * 2 + COUNTED_PAGE_ROWS_MAX);
      const again = await expectTrips(1, 200, 'GET', path(), member);
      expect(again.rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX * 4);
    },
  );

  test('one page of the list of a person’s own 20,000 posts reads only the rows of that page', async () => {
    const { answer, rowsRead } = await expectTrips(1, 200, 'GET', '/api/posts/by-owner', author);
    expect(await answer.json()).toHaveLength(PAGE);
    expect(rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX);
  });

  test('opening one post takes one database call and reads a few rows', async () => {
    for (const viewer of [{}, author, member]) {
      const { rowsRead } = await expectTrips(1, 200, 'GET', `/api/posts/${ownPostId}`, viewer);
      expect(rowsRead).toBeLessThanOrEqual(35);
    }
  });

  test.each([
    ['two letters that only an older post has', 'qz', 0],
    ['two letters that no post has', 'qq', 0],
    ['two letters that every post has', 'si', PAGE],
    ['one letter that every post has', 'k', PAGE],
    ['an emoji that no post has', '👛', 0],
    ['two pairs of letters that every post has', 'si%20mu', PAGE],
  ])('a search for %s takes one database call and reads only the newest 1,000 posts', async (_what, search, count) => {
    const { answer, rowsRead } = await expectTrips(1, 200, 'GET', `/api/posts?exact=1&search=${search}`);
    expect(await answer.json()).toHaveLength(count);
    expect(rowsRead).toBeLessThanOrEqual(LIKELY_ROWS_MAX);
    const signedIn = await expectTrips(1, 200, 'GET', `/api/posts?exact=1&search=${search}`, member);
    expect(signedIn.rowsRead).toBeLessThanOrEqual(LIKELY_ROWS_MAX * 3);
  });

  test('a search for a long word together with a two-letter word has a bounded cost, and returns a cursor for the next page', async () => {
    const first = await expectTrips(1, 200, 'GET', '/api/posts?exact=1&search=pochi%20qz');
    expect(first.rowsRead).toBeLessThanOrEqual(PAGE_ROWS_MAX);
    const common = await expectTrips(1, 200, 'GET', '/api/posts?exact=1&search=simu%20qz');
    expect(common.rowsRead).toBeLessThanOrEqual(LIKELY_ROWS_MAX);
    expect(common.answer.headers.get('Link')).toMatch(/cursor=words-\d+/);
  });

  test.each([
    [
      'an owner’s post among many finders’ posts',
      '/api/posts?exact=1&search=kariakoo&posted_by=owner',
      ['Nimepoteza kofia'],
    ],
    ['words that are nearly only in a community’s posts', '/api/posts?exact=1&search=siri%20yetu', ['Siri yetu sote']],
  ])('a search for %s finds even the oldest post, and each page has a bounded cost', async (_what, start, expected) => {
    const seen: string[] = [];
    let path: string | undefined = start;
    for (let page = 1; path; page++) {
      const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path);
      expect(rowsRead).toBeLessThanOrEqual(LIKELY_ROWS_MAX);
      seen.push(...(await answer.json<PostEntry[]>()).map((entry) => entry.Post.title));
      path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      expect(page).toBeLessThanOrEqual(PAGES_MAX);
    }
    expect(seen).toEqual(expected);
  });

  test('a search in a big community has a bounded cost, and its pages reach the oldest post', async () => {
    const seen: string[] = [];
    let path: string | undefined = `/api/posts?community_code=${bigCode}&exact=1&search=begi`;
    for (let page = 1; path; page++) {
      const { answer, rowsRead } = await expectTrips(1, 200, 'GET', path, member);
      // Counting the phone numbers that the viewer may still see reads each post once more.
      expect(rowsRead).toBeLessThanOrEqual(5_000 * 5 + PAGE_ROWS_MAX);
      seen.push(...(await answer.json<PostEntry[]>()).map((entry) => entry.Post.title));
      path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      expect(page).toBeLessThanOrEqual(3);
    }
    expect(seen).toEqual(['Begi la jumuiya']);
  });
});

describe('the growth of costs', () => {
  const FEW = 4_000;
  const MANY = 16_000;
  /**
   * No title contains both "simu" and "mbuzi". No title contains "mweubwa", but four of its five trigrams are each in
   * half of the titles.
   */
  const TITLES = ['Simu nyeusi kubwa', 'Mbuzi mweupe wa Bukoba'];

  /** Each search runs as a visitor and as a signed-in person. Its cost is limited, however many posts exist. */
  const SEARCHES = {
    'one word': 'simu',
    'two common words that posts have together': 'simu nyeusi',
    'two common words that no post has together': 'simu mbuzi',
    'a word that no post has, with trigrams that all have': 'mweubwa',
    'a phrase': 'mweupe wa bukoba',
    'one letter': 'm',
    'two letters': 'mb',
    'two pairs of letters that no post has together': 'im uz',
    'two letters that no post has': 'qz',
    'a word beside two letters that no post has': 'simu zi',
  };

  let reader: Person;
  const rowsAmong: Record<string, { few: number; many: number }> = {};

  async function rowsOf(search: string, viewer: Partial<Person>): Promise<number> {
    const path = `/api/posts?exact=1&search=${encodeURIComponent(search)}&limit=20`;
    // The first request also stores which phone numbers it shows, for the viewer's daily limit. The second one shows
    // the same numbers and stores nothing, so only the second one is measured.
    await countTrips('GET', path, viewer);
    const { answer, rowsRead, trips } = await countTrips('GET', path, viewer);
    expect([answer.status, trips]).toEqual([200, 1]);
    return rowsRead;
  }

  beforeAll(async () => {
    const author = await newPerson();
    reader = await newPerson();
    const add = (count: number) =>
      insertPosts(
        author.id,
        Array.from({ length: count }, (_, at) => TITLES[at % 2] ?? ''),
      );
    await add(FEW);
    const few = await measure();
    await add(MANY - FEW);
    const many = await measure();
    for (const name of Object.keys(few)) rowsAmong[name] = { few: few[name] ?? 0, many: many[name] ?? 0 };
  }, 120_000);

  async function measure(): Promise<Record<string, number>> {
    const rows: Record<string, number> = {};
    for (const [name, search] of Object.entries(SEARCHES)) {
      rows[`${name}, visitor`] = await rowsOf(search, {});
      rows[`${name}, signed in`] = await rowsOf(search, reader);
    }
    return rows;
  }

  test.each(Object.keys(SEARCHES).flatMap((name) => [`${name}, visitor`, `${name}, signed in`]))(
    'a search reads the same number of rows from a database with 4,000 posts as from one with 16,000 posts: %s',
    (name) => {
      const { few, many } = rowsAmong[name] ?? { few: 0, many: 1 };
      expect(many).toBe(few);
      expect(few).toBeGreaterThan(0);
    },
  );
});
