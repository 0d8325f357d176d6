import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Community } from '#contract/communities.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newCommunity } from '#tests/worker/support/communities.ts';
import { insertPosts } from '#tests/worker/support/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { renewTexts } from '#worker/posts/search-texts.ts';

describe('searching posts', () => {
  let author: Person;

  /** All posts of the tests below, by name. */
  const POSTS = {
    simu: { title: 'Simu ya TECNO Spark nyeusi', location: 'Kariakoo', description: 'Ina kava la bluu' },
    id: { title: 'Kitambulisho', owner_first_name: 'Neema', owner_last_name: 'Mwakyusa', location: 'Ubungo' },
    ngombe: { title: "Ng'ombe watatu", location: 'Bagamoyo', description: 'Rangi ya kahawia' },
    cafe: { title: 'Café Zoë \u0130stanbul naïve', location: 'Ünguja' },
    signs: { title: '100% pamba_safi * "nukuu" (mabano) -kistari', location: "O'Reilly; DROP TABLE" },
    words: { title: 'AND OR NOT NEAR', location: 'kati' },
    emoji: { title: 'Pochi 👛 nyekundu', location: '📍Posta' },
    arabic: { title: 'محفظة جلدية', location: 'زنجبار' },
    chinese: { title: '黑色手机', location: '三亚' },
    wide: { title: 'ＦＵＬＬＷＩＤＴＨ ﬁle', location: 'Tanga' },
    lines: { title: 'mwisho', location: 'mwanzo', description: 'mstari\nwa pili' },
  };
  type Name = keyof typeof POSTS;

  beforeAll(async () => {
    author = await newPerson();
    for (const post of Object.values(POSTS)) await newPost(author, { description: '', ...post });
  });

  /** @returns the names (keys of `POSTS`) of the posts that the search finds, newest post first. */
  async function find(search: string, more = ''): Promise<Name[]> {
    const answer = await call('GET', `/api/posts?exact=1&search=${encodeURIComponent(search)}${more}`);
    if (answer.status !== 200) throw new Error(`A search for ${search} answered ${answer.status}`);
    const entries = await answer.json<PostEntry[]>();
    return entries.map(
      ({ Post }) => (Object.keys(POSTS) as Name[]).find((name) => POSTS[name].title === Post.title) as Name,
    );
  }

  test.each<[string, Name[]]>([
    // a search finds any part of a word, in every searched field
    ['ecn', ['simu']],
    ['Kariakoo', ['simu']],
    ['kava la bluu', ['simu']],
    ['eema', ['id']],
    ['Mwakyusa', ['id']],
    // letters in any case
    ['tecno SPARK', ['simu']],
    ['KITAMBULISHO', ['id']],
    // searches of one and two letters find posts too
    ['y', ['emoji', 'signs', 'ngombe', 'id', 'simu']],
    ['ka', ['words', 'ngombe', 'simu']],
    ['👛', ['emoji']],
    ['三', ['chinese']],
    ['手机', ['chinese']],
    // all words of a search must be in the post, in any order and any field
    ['bluu simu', ['simu']],
    ['simu ubungo', []],
    ['ya spark kariakoo', ['simu']],
    ['mw ub', ['id']],
    ['  simu   tecno  ', ['simu']],
    // a word does not reach from one field into the next
    ['nyeusikariakoo', []],
    ['mwishomstari', []],
    ['mstari wa pili', ['lines']],
    // diacritics, compatibility forms and apostrophes make no difference
    ['cafe', ['cafe']],
    ['CAFÉ zoe', ['cafe']],
    ['cafe\u0301', ['cafe']],
    ['istanbul', ['cafe']],
    ['unguja', ['cafe']],
    ['fullwidth file', ['wide']],
    ['ng’ombe', ['ngombe']],
    ["ng'ombe", ['ngombe']],
    // signs with a special meaning, such as %, are plain text
    ['100%', ['signs']],
    ['%', ['signs']],
    ['0% pamba_', ['signs']],
    ['pamba_safi', ['signs']],
    ['pambaXsafi', []],
    ['_', ['signs']],
    ['*', ['signs']],
    ['pamb*', []],
    ['"nukuu"', ['signs']],
    ['"', ['signs']],
    ['""', []],
    ["'", ['signs', 'ngombe']],
    ['(mabano)', ['signs']],
    ['-kistari', ['signs']],
    ['-simu', []],
    ["o'reilly; drop", ['signs']],
    ['title:simu', []],
    ['simu^2', []],
    ['{simu}', []],
    ['simu + tecno', []],
    // words that are operators of the search index are plain text
    ['AND', ['words']],
    ['or not', ['words']],
    ['NEAR', ['words']],
    ['simu OR kitambulisho', []],
    ['simu AND tecno', []],
    ['NEAR(simu tecno)', []],
    // words in other scripts, such as Arabic, are found
    ['محفظة', ['arabic']],
    ['زنجبار محفظة', ['arabic']],
    ['جل', ['arabic']],
    ['黑色手', ['chinese']],
    // special characters, such as NUL, separate words like spaces
    ['simu\u0000tecno', ['simu']],
    ['simu\u00a0tecno', ['simu']],
    ['\u0000', ['lines', 'wide', 'chinese', 'arabic', 'emoji', 'words', 'signs', 'cafe', 'ngombe', 'id', 'simu']],
  ])('a search for %j finds the posts %j', async (search, expected) => {
    expect(await find(search)).toEqual(expected);
  });

  test('an empty search lists every post, newest first', async () => {
    expect(await find('')).toEqual((Object.keys(POSTS) as Name[]).reverse());
    expect(await find('   ')).toHaveLength(Object.keys(POSTS).length);
  });

  test('a search of 500 characters is accepted, and a search of 501 is refused', async () => {
    expect(await find(`${'simu '.repeat(99)}tecno`)).toEqual(['simu']);
    expect(await find('x'.repeat(500))).toEqual([]);
    expect(await find('ab '.repeat(166))).toEqual(['signs']);
    expect(await find(`${'%'.repeat(250)}${'"'.repeat(250)}`)).toEqual([]);
    expect(await find('ﷺ'.repeat(500))).toEqual([]);
    const words = Array.from(
      { length: 125 },
      (_, index) => `${String.fromCharCode(97 + (index % 26))}${index % 10}${Math.floor(index / 10) % 10}`,
    );
    expect(await find(words.join(' '))).toEqual([]);
    for (const language of ['en', 'sw']) {
      const answer = await call('GET', `/api/posts?search=${'x'.repeat(501)}`, undefined, { language });
      const body = await answer.json<ErrorBody>();
      expect(answer.status).toBe(422);
      expect(body.errors).toEqual([{ field: 'search', message: expect.stringContaining('500') }]);
    }
  });

  test('a search text with invalid UTF-8 is accepted, and a query with the parameter “search” twice is refused', async () => {
    for (const query of ['search=%ff%fe', 'search=%ed%a0%80', 'search=%', 'search=%00'])
      expect((await call('GET', `/api/posts?${query}`)).status, query).toBe(200);
    expect((await call('GET', '/api/posts?search=a&search=b')).status).toBe(422);
  });

  test('a search can be filtered by side and has pages, like the list of posts', async () => {
    expect(await find('simu', '&posted_by=owner')).toEqual([]);
    expect(await find('simu', '&posted_by=finder')).toEqual(['simu']);
    const answer = await call('GET', '/api/posts?search=a&limit=2');
    expect(answer.headers.get('Link')).toMatch(/^<\/api\/posts\?search=a&limit=2&cursor=words-[-\w]+>; rel="next"$/);
  });

  test('a search does not find a post by text that was removed from the post, or after the post was deleted', async () => {
    const { id } = await newPost(author, { title: 'Mkobaxyz wa zamani' });
    const count = async (search: string) =>
      (await (await call('GET', `/api/posts?exact=1&search=${search}`)).json<PostEntry[]>()).length;
    expect([await count('mkobaxyz'), await count('xyz wa')]).toEqual([1, 1]);
    await call('PUT', `/api/posts/${id}`, { title: 'Begi', location: 'x', phone_number: '112' }, author);
    expect([await count('mkobaxyz'), await count('begi')]).toEqual([0, 1]);
    await call('DELETE', `/api/posts/${id}`, undefined, author);
    expect(await count('begi')).toBe(0);
  });
});

describe('redaction in searches', () => {
  let author: Person;
  let reader: Person;
  let code: string;

  beforeAll(async () => {
    [author, reader] = [await newPerson(), await newPerson()];
    const { community } = await newApprovedCommunity();
    for (const person of [author, reader]) await join(community.access_code, person);
    code = await communityCodeOf(community.id, reader);
  });

  /** Whether the viewer's search finds the post. */
  async function finds(viewer: { token?: string }, { id }: Post, search: string): Promise<boolean> {
    const path = `/api/posts?exact=1&limit=100&search=${encodeURIComponent(search)}`;
    const found = await (await call('GET', path, undefined, viewer)).json<PostEntry[]>();
    return found.some(({ Post }) => Post.id === id);
  }

  test('a visitor finds a post by the words of its text, but not by a phone number or e-mail address in the text', async () => {
    const post = await newPost(author, {
      title: 'Kofia yenye nembo 0613 579 246',
      description: 'qx 0613579247 a@b.example',
    });
    for (const search of ['nembo', 'kofia nembo', 'qx', 'of'])
      for (const viewer of [{}, reader]) expect(await finds(viewer, post, search), search).toBe(true);
    for (const search of ['0613', '0613579247', '57924', '13 57', '24', 'kofia 0613', 'a@b', 'b.example']) {
      expect(await finds({}, post, search), search).toBe(false);
      expect(await finds(reader, post, search), search).toBe(true);
    }
  });

  test.each([
    ['a public', () => null],
    ['a community’s', () => code],
  ])('only the author finds %s post by the masked digits of a document’s number', async (_where, community) => {
    const post = await newPost(author, { title: 'Leseni ya AB86420913', description: '', community_code: community() });
    for (const [search, byOthers] of [
      ['leseni', true],
      ['0913', true],
      ['ab', true],
      ['86420913', false],
      ['8642', false],
      ['leseni 86420913', false],
      ['b86', false],
      ['86', false],
      ['20913', false],
    ] as const) {
      expect(await finds(author, post, search), search).toBe(true);
      expect(await finds(reader, post, search), search).toBe(byOthers);
      expect(await finds({}, post, search), search).toBe(byOthers && community() === null);
    }
  });

  test('a search in a community’s list finds a post by the masked digits of a document’s number only for the post’s author', async () => {
    await newPost(author, { title: 'Pasipoti TZ97531086', community_code: code });
    const count = async (viewer: Person, search: string) =>
      (await (await call('GET', `/api/posts?community_code=${code}&search=${search}`, undefined, viewer)).json<[]>())
        .length;
    expect([await count(author, '97531086'), await count(reader, '97531086'), await count(reader, '1086')]).toEqual([
      1, 0, 1,
    ]);
    expect([await count(author, '97'), await count(reader, '97')]).toEqual([1, 0]);
  });

  test('after an edit, only the post’s new title, kind and community decide who finds the post by a number in the title', async () => {
    const post = await newPost(author, { title: 'Pochi 75319864', description: '' });
    const change = (changes: object) =>
      call(
        'PUT',
        `/api/posts/${post.id}`,
        { ...somePost, title: 'Pochi 75319864', description: '', ...changes },
        author,
      );
    const who = async (search: string) => [await finds({}, post, search), await finds(reader, post, search)];
    expect(await who('75319864')).toEqual([true, true]);
    await change({ kind: 'document' });
    expect(await who('75319864')).toEqual([false, false]);
    await change({});
    expect(await who('75319864')).toEqual([false, false]);
    await change({ kind: null });
    expect(await who('75319864')).toEqual([true, true]);
    await change({ community_code: code });
    expect(await who('75319864')).toEqual([false, true]);
    await change({ title: 'Pochi 0612975319' });
    expect([await who('0612975319'), await who('75319864')]).toEqual([
      [false, true],
      [false, false],
    ]);
  });

  test('a search that contains the mask “•••” finds a post by its visible digits, and not by its masked digits', async () => {
    const post = await newPost(author, { title: 'Leseni 97531864', description: '' });
    expect(await finds({}, post, '•••1864')).toBe(true);
    expect(await finds(reader, post, '•••5318')).toBe(false);
  });

  test('a visitor’s pages of results are full even if most matching posts are hidden from visitors', async () => {
    const titles = Array.from({ length: 24 }, (_, index) =>
      index % 4 === 0 ? `wholepages wazi ${index}` : `wholepages wazi 06138642${String(index).padStart(2, '0')}`,
    );
    for (const title of titles) await newPost(await newPerson(), { title, description: '' });
    const search = async (text: string) => {
      const answer = await call('GET', `/api/posts?exact=1&limit=5&search=${text}`);
      return { count: (await answer.json<[]>()).length, next: answer.headers.get('Link') };
    };
    expect(await search('wholepages%206138642')).toEqual({ count: 0, next: null });
    expect(await search('wholepages%20wazi')).toEqual({ count: 5, next: expect.stringContaining('cursor=') });
  });
});

describe('searches of two letters', () => {
  /** How many of the newest visible posts a search of one or two letters reads. */
  const LOOKED_AT = 1_000;

  let author: Person;

  beforeEach(async () => {
    await env.DB.exec('delete from posts');
    author = await newPerson();
  });

  const many = (count: number, title = 'Kofia'): string[] => Array.from({ length: count }, (_, at) => `${title} ${at}`);

  /** The titles on all pages of a search, in order. */
  async function findAll(query: string, viewer: Partial<Person> = {}): Promise<string[]> {
    const titles: string[] = [];
    let path: string | undefined = `/api/posts?${query}`;
    while (path !== undefined) {
      const answer: Response = await call('GET', path, undefined, viewer);
      expect(answer.status).toBe(200);
      titles.push(...(await answer.json<PostEntry[]>()).map(({ Post }) => Post.title));
      path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    return titles;
  }

  test('find matching posts among the newest 1,000 posts, and no older posts', async () => {
    await insertPosts(author.id, ['Pochi qz ya zamani', 'Pochi qz', ...many(LOOKED_AT - 1)]);
    const reader = await newPerson();
    for (const viewer of [{}, reader, author]) {
      expect(await findAll('search=QZ', viewer)).toEqual(['Pochi qz']);
      expect(await findAll('search=q%20z', viewer)).toEqual(['Pochi qz']);
      expect(await findAll('search=qz%20zq', viewer)).toEqual([]);
    }
  });

  test('examine at most 1,000 posts, the newest that the viewer can see; posts that the viewer cannot see do not count', async () => {
    const { community } = await newApprovedCommunity();
    const member = await newPerson();
    await join(community.access_code, member);
    await insertPosts(author.id, ['Pochi qz', ...many(LOOKED_AT - 3)]);
    await insertPosts(author.id, many(3, 'Siri'));
    await insertPosts(author.id, many(3, 'Imefungwa'));
    await insertPosts(author.id, ['Kofia qz ya jumuiya', 'Kofia', 'Kofia'], { communityId: community.id });
    await env.DB.prepare("update posts set hidden_by = 1 where title like 'Siri%'").run();
    await env.DB.prepare("update posts set away_since = 1 where title like 'Imefungwa%'").run();
    expect(await findAll('search=qz')).toEqual(['Pochi qz']);
    expect(await findAll('search=qz', await newPerson())).toEqual(['Pochi qz']);
    // The member also sees three newer posts of the community, so the public post is not among the newest 1,000 posts
    // that the member sees.
    expect(await findAll('search=qz', member)).toEqual(['Kofia qz ya jumuiya']);
  });

  test('look through the 1,000 newest posts only, and list each hit once over all pages, newest first', async () => {
    const titles = many(LOOKED_AT + 100).map((title, at) => (at % 100 === 0 ? `${title} qz` : title));
    await insertPosts(author.id, titles);
    const expected = titles.filter((title, at) => at >= 100 && title.endsWith('qz')).reverse();
    for (const viewer of [{}, await newPerson()]) expect(await findAll('search=qz&limit=3', viewer)).toEqual(expected);
  });

  test('also apply the filters for side, kind, date and place', async () => {
    await insertPosts(author.id, ['Pochi qz']);
    await insertPosts(author.id, ['Kofia qz'], { postedBy: 'owner' });
    expect(await findAll('search=qz&posted_by=owner')).toEqual(['Kofia qz']);
    expect(await findAll('search=qz&kind=bag')).toEqual([]);
    expect(await findAll('search=qz&since=2100-01-01')).toEqual([]);
    expect(await findAll('search=qz&place=ka')).toEqual(['Kofia qz', 'Pochi qz']);
    expect(await findAll('search=qz&place=qz')).toEqual([]);
  });
});

test('a search that contains & or # finds the posts with these characters on the first page and on later pages', async () => {
  const author = await newPerson();
  for (const title of ['Duka la Mushi & Wana #1', 'Duka la Mushi & Wana #2', 'Duka la Mushi'])
    await newPost(author, { title, description: '' });
  const read = async (path: string) => {
    const answer = await call('GET', path);
    expect(answer.status).toBe(200);
    const entries = await answer.json<PostEntry[]>();
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
    return { titles: entries.map(({ Post }) => Post.title), next };
  };
  const find = async (search: string) => (await read(`/api/posts?exact=1&search=${encodeURIComponent(search)}`)).titles;
  expect(await find('#1')).toEqual(['Duka la Mushi & Wana #1']);
  expect(await find('mushi & wana')).toEqual(['Duka la Mushi & Wana #2', 'Duka la Mushi & Wana #1']);
  expect(await find('wana & #3')).toEqual([]);
  const first = await read(`/api/posts?exact=1&search=${encodeURIComponent('& wana #')}&limit=1`);
  const second = await read(first.next ?? '');
  expect([first.titles, second.titles]).toEqual([['Duka la Mushi & Wana #2'], ['Duka la Mushi & Wana #1']]);
});

test('a search among a person’s own communities finds a community whose name contains & and #', async () => {
  const person = await newPerson();
  for (const name of ['Mama & Baba #7', 'Mama']) await newCommunity(person, { name });
  const answer = await call('GET', `/api/communities?search=${encodeURIComponent('& baba #7')}`, undefined, person);
  expect((await answer.json<Community[]>()).map(({ name }) => name)).toEqual(['Mama & Baba #7']);
});

/** The number of posts whose search texts one scheduled sweep renews. */
const RENEWED = 300;

async function findAll(search: string): Promise<string[]> {
  const answer = await call('GET', `/api/posts?exact=1&search=${search}`);
  return (await answer.json<PostEntry[]>()).map(({ Post }) => Post.title);
}

async function listOld(): Promise<string[]> {
  const { results } = await env.DB.prepare('select title from posts where search_version = 0 order by seq').all<{
    title: string;
  }>();
  return results.map(({ title }) => title);
}

test('one run of the scheduled job renews the search texts of the newest 300 posts whose search text is outdated', async () => {
  const author = await newPerson();
  const titles = Array.from({ length: RENEWED + 2 }, (_, at) => `Kofia ${at}`);
  await insertPosts(author.id, titles);
  await env.DB.prepare('update posts set search_version = 0 where author_id = ?').bind(author.id).run();
  await renewTexts(openDb(env));
  expect(await listOld()).toEqual(titles.slice(0, 2));
  await renewTexts(openDb(env));
  expect(await listOld()).toEqual([]);
});

test('after a post’s outdated search text has been recomputed, searches find the post by the new text and not by the old one', async () => {
  const author = await newPerson();
  const post = await newPost(author, { title: 'Cheti 0612864209', description: '' });
  await env.DB.prepare(
    "update posts set search_text = 'kale', reader_text = null, visitor_text = 'kale', search_version = 0 where id = ?",
  )
    .bind(post.id)
    .run();
  expect(await findAll('kale')).toEqual([post.title.replace('0612864209', '•••')]);
  await renewTexts(openDb(env));
  expect([await findAll('kale'), (await findAll('cheti')).length]).toEqual([[], 1]);
  expect(await findAll('0612864209')).toEqual([]);
  for (const index of ['posts_search', 'posts_visitor_search'])
    await env.DB.prepare(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`).run();
});

test.each(['posts_search', 'posts_visitor_search'])(
  'after the full-text search index %s is rebuilt from the posts, a search still finds a post',
  async (index) => {
    const author = await newPerson();
    const title = `kipekee${index.replaceAll('_', '')}`;
    await newPost(author, { title });
    await env.DB.prepare(`insert into ${index} (${index}) values ('rebuild')`).run();
    const answer = await call(
      'GET',
      `/api/posts?exact=1&search=${title}`,
      undefined,
      index === 'posts_search' ? author : {},
    );
    expect(await answer.json()).toHaveLength(1);
  },
);
