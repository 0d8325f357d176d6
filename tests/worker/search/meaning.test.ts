import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import { decide } from '#tests/worker/support/moderation.ts';
import { openDb } from '#worker/db/client.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';

/** The test's name for each post, by the post's id. */
const names = new Map<string, string>();
let author: Person;

beforeAll(async () => {
  author = await newPerson();
}, 60_000);

type Found = { words: string[]; meaning: string[]; near: string[] };

/**
 * Creates posts one after the other. `posts`: each post's name in the test, and its text as
 * `title | location | description`. `more`: further fields of every post.
 */
async function publish(posts: Record<string, string>, more: object = {}) {
  for (const [name, text] of Object.entries(posts)) {
    const [title = '', location = 'Sehemu', description = ''] = text.split(' | ');
    const { id } = await newPost(await newPerson(), { title, location, description, ...more });
    names.set(id, name);
  }
}

/**
 * Returns the posts on all pages of a search, by the part of the results: posts in `words` contain the searched words,
 * posts in `meaning` fit the search fully by their meaning, and posts in `near` fit the search only in part.
 */
async function search(text: string, more = '', viewer: { token?: string } = {}): Promise<Found> {
  const found: Found = { words: [], meaning: [], near: [] };
  for (let path: string | null = `/api/posts?search=${encodeURIComponent(text)}${more}`; path; ) {
    const answer: Response = await call('GET', path, undefined, viewer);
    expect(answer.status, path).toBe(200);
    for (const { Post, found_by } of await answer.json<PostEntry[]>())
      found[found_by ?? 'words'].push(names.get(Post.id) ?? Post.title);
    path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null;
  }
  return found;
}

async function clear(): Promise<void> {
  await env.DB.exec('delete from posts');
}

const NONE: Found = { words: [], meaning: [], near: [] };

describe('a search by meaning', () => {
  beforeAll(async () => {
    await clear();
    await publish({
      plain: 'Phone found | Kariakoo',
      black: 'Black Samsung phone | Mwenge',
      red: 'Red Tecno phone | Mwanza',
      nida: 'NIDA card of Juma Hassan | Dodoma',
      id: 'ID card picked up | Mbeya',
      backpack: 'Backpack with a laptop in it | Majengo, Moshi',
      bag: 'Green bag | Majengo, Dodoma',
      plate: 'Number plate T 419 DQK | Dodoma Road, Morogoro',
      otherPlate: 'Number plate T 500 ABC | Morogoro',
      leather: 'Leather wallet | Tanga',
      shoes: 'Shoes size 42 | Tanga',
      dog: 'Dog with a collar | Iringa',
    });
  }, 60_000);

  test.each<[string, Partial<Found>]>([
    // a word finds posts in both languages, newest first; posts that contain the word itself are only in `words`
    ['simu', { meaning: ['red', 'black', 'plain'] }],
    ['phone', { words: ['red', 'black', 'plain'] }],
    // misspelt words are corrected
    ['kitambulissho', { meaning: ['id', 'nida'] }],
    ['simu kariako', { meaning: ['plain'] }],
    // posts that contradict the search are omitted; posts that say nothing about the colour or make are found
    ['simu nyeusi', { meaning: ['black', 'plain'] }],
    ['simu ya Tecno', { meaning: ['red', 'plain'] }],
    // a brand alone also finds posts about its usual products as `near`, but no posts that name another brand
    ['Samsung', { words: ['black'], near: ['plain'] }],
    ['waleti ya ngozi', { meaning: ['leather'] }],
    ['waleti ya plastiki', {}],
    ['viatu saizi 42', { meaning: ['shoes'] }],
    ['viatu saizi 30', {}],
    // a search for a property alone, such as a colour, finds only posts that mention this property
    ['nyekundu', { meaning: ['red'] }],
    // a general word also finds posts about narrower kinds; a narrow kind finds posts about the general kind only as
    // `near`
    ['kitambulisho', { meaning: ['id', 'nida'] }],
    ['kitambulisho cha taifa', { meaning: ['nida'], near: ['id'] }],
    ['begi', { meaning: ['bag', 'backpack'] }],
    // a search for two things finds posts that name both; posts that name only one of them are `near`
    ['begi lenye kompyuta mpakato', { meaning: ['backpack'], near: ['bag'] }],
    // a searched name must be in the post; a post without a name is `near`, and a post with another name is not found
    ['kitambulisho Juma', { words: [], meaning: ['nida'], near: ['id'] }],
    ['kitambulisho Asha', { near: ['id'] }],
    // if a searched word is in no word list, posts whose text does not contain the word are `near`
    ['simu zqxwv', { near: ['red', 'black', 'plain'] }],
    // a place finds posts inside the place, not posts in a larger place
    ['simu Dar es Salaam', { meaning: ['black', 'plain'] }],
    ['simu DSM', { meaning: ['black', 'plain'] }],
    ['simu Kariakoo', { meaning: ['plain'] }],
    ['begi Majengo', { meaning: ['bag', 'backpack'] }],
    ['begi Majengo Moshi', { meaning: ['backpack'] }],
    // a search for a plate number ignores spaces in the number
    ['T419DQK', { words: [], meaning: ['plate'] }],
    ['koti T419DQK', { near: ['plate'] }],
    // words such as "lost", and words that are in no word list, have no meaning: only their text is searched
    ['nimepoteza', {}],
    ['zqxwv', {}],
    ['xq', {}],
    ['natafuta simu yangu', { meaning: ['red', 'black', 'plain'] }],
    // a known name is not corrected to another word, and a short word is not corrected
    ['Mbwana', {}],
    ['mbwa', { meaning: ['dog'] }],
    ['mbwq', {}],
  ])('for “%s” finds exactly the posts that the test’s table expects', async (text, expected) => {
    expect(await search(text)).toEqual({ ...NONE, ...expected });
  });

  test('gives the reasons why a post in the results fits the search, in both languages', async () => {
    const answer = await call('GET', '/api/posts?search=simu%20nyeusi%20Mwenge');
    const [entry] = await answer.json<PostEntry[]>();
    expect(entry).toMatchObject({
      found_by: 'meaning',
      reasons: [
        { kind: 'item', en: 'phone', sw: 'simu' },
        { kind: 'place', en: 'Mwenge', sw: 'Mwenge' },
        { kind: 'colour', en: 'black', sw: 'nyeusi' },
      ],
    });
  });

  test('is not run if the request has no search text', async () => {
    const [entry] = await (await call('GET', '/api/posts')).json<PostEntry[]>();
    expect(Object.keys(entry ?? {})).toEqual(['Post']);
  });

  test('is switched off by the parameter exact=1, which searches only for the words as typed', async () => {
    expect(await search('simu', '&exact=1')).toEqual(NONE);
    expect(await search('phone', '&exact=1')).toEqual({ ...NONE, words: ['red', 'black', 'plain'] });
    expect((await call('GET', '/api/posts?search=simu&exact=0')).status).toBe(422);
    expect(await (await call('GET', '/api/posts?exact=1&limit=1')).json()).toHaveLength(1);
  });

  test.each(['1', '2', '100'])('shows no post twice over several pages with %s posts each', async (limit) => {
    expect(await search('kitambulisho cha taifa', `&limit=${limit}`)).toEqual({
      ...NONE,
      meaning: ['nida'],
      near: ['id'],
    });
    expect(await search('simu nyeusi', `&limit=${limit}`, author)).toEqual({ ...NONE, meaning: ['black', 'plain'] });
    expect(await search('simu zqxwv', `&limit=${limit}`)).toEqual({ ...NONE, near: ['red', 'black', 'plain'] });
  });

  test('refuses a cursor that belongs to another search or to other filters', async () => {
    const answer = await call('GET', '/api/posts?search=simu&limit=1');
    const cursor = new URL(/<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1] ?? '', 'https://x').searchParams.get(
      'cursor',
    );
    const ask = async (query: string) => {
      const { status } = await call('GET', `/api/posts?limit=1&cursor=${cursor}${query}`);
      return status;
    };
    expect(await ask('&search=simu')).toBe(200);
    for (const query of ['', '&search=simu2', '&search=simu&open=1', '&search=simu&exact=1'])
      expect(await ask(query), query).toBe(422);
    const { errors } = await (await call('GET', '/api/posts?search=simu&cursor=5')).json<ErrorBody>();
    expect(errors).toMatchObject([{ field: 'cursor' }]);
  });

  test('applies the filters to posts that fit the search fully and to posts that fit in part', async () => {
    expect(await search('simu', '&place=mwenge')).toEqual({ ...NONE, meaning: ['black'] });
    expect(await search('simu zqxwv', '&place=mwenge')).toEqual({ ...NONE, near: ['black'] });
    expect(await search('simu', '&posted_by=owner')).toEqual(NONE);
    expect(await search('simu', '&kind=document')).toEqual(NONE);
  });
});

describe('the private texts of a post', () => {
  test('are excluded from the search by meaning, even for the post’s author', async () => {
    await clear();
    const { id, title } = await newPost(author, {
      title: 'Leseni ya udereva',
      location: 'Kigoma',
      description: 'Call 0712 345 678. Namba 86420913',
      kept_at: 'Kwa Hamisi, duka la simu',
      private_marks: 'begi jekundu',
      claim_question: 'Pikipiki gani?',
      contact: 'claim',
      identifiers: ['T419DQK'],
    });
    names.set(id, 'licence');
    expect(title).toBeTruthy();
    for (const viewer of [{}, author, await newPerson()]) {
      for (const text of ['phone', 'backpack', 'motorcycle', 'T 419 DQK', '86420913', '0712345678', 'licence Hamisi'])
        expect((await search(text, '', viewer)).meaning, text).toEqual([]);
      expect((await search('licence', '', viewer)).meaning).toEqual(['licence']);
      // Whichever number is searched for, the search finds the post. Otherwise people could guess the hidden number.
      for (const number of ['86420913', '11112222'])
        expect((await search(`licence ${number}`, '', viewer)).meaning, number).toEqual(['licence']);
    }
  });
});

describe('a search by meaning among few posts', () => {
  const found = async (text: string) => (await search(text)).meaning;
  const draft = {
    title: 'Phone found',
    location: 'Lindi',
    description: '',
    phone_number: '+255712345678',
    owner_first_name: '',
    owner_last_name: '',
    posted_by: 'finder',
  };

  test('finds an edited post only by its new text, and finds no hidden or deleted post', async () => {
    await clear();
    const { id } = await newPost(author, draft);
    names.set(id, 'it');
    expect(await found('simu')).toEqual(['it']);
    await call('PUT', `/api/posts/${id}`, { ...draft, title: 'Laptop found' }, author);
    expect([await found('simu'), await found('kompyuta mpakato')]).toEqual([[], ['it']]);
    await call('PATCH', `/api/posts/${id}/found`, undefined, author);
    expect(await found('kompyuta mpakato')).toEqual(['it']);
    const admin = await newPlatformAdmin();
    await decide('hide', id, admin);
    expect(await found('kompyuta mpakato')).toEqual([]);
    expect((await search('kompyuta mpakato', '', admin)).meaning).toEqual([]);
    await decide('restore', id, admin);
    expect(await found('kompyuta mpakato')).toEqual(['it']);
    await call('DELETE', `/api/posts/${id}`, undefined, author);
    expect(await found('kompyuta mpakato')).toEqual([]);
    expect(await env.DB.prepare('select count(*) as n from search_terms').first('n')).toBe(0);
  });

  test('does not find a post by its old text if the text changes while it is being analysed', async () => {
    await clear();
    const { id } = await newPost(author, draft);
    await env.DB.prepare("update posts set title = 'Umbrella' where id = ?").bind(id).run();
    expect(await env.DB.prepare('select count(*) as n from search_terms').first('n')).toBe(0);
    await renewReadings(openDb(env));
    expect([(await search('simu')).meaning, (await search('mwavuli')).meaning.length]).toEqual([[], 1]);
  });

  test('finds a community’s post only for members, both in the community’s list and in the list of all posts', async () => {
    await clear();
    const { community } = await newApprovedCommunity();
    const member = await newPerson();
    await join(community.access_code, member);
    const code = await communityCodeOf(community.id, member);
    const { id } = await newPost(member, { ...draft, community_code: code });
    names.set(id, 'inside');
    await publish({ outside: 'Phone found | Lindi' });
    expect(await found('simu')).toEqual(['outside']);
    expect((await search('simu', '', member)).meaning).toEqual(['outside', 'inside']);
    expect((await search('simu', `&community_code=${code}`, member)).meaning).toEqual(['inside']);
    expect((await search('simu zqxwv', `&community_code=${code}`, member)).near).toEqual(['inside']);
    expect((await call('GET', `/api/posts?search=simu&community_code=${code}`, undefined, author)).status).toBe(403);
  });
});

describe('a search by meaning among many posts', () => {
  const MANY = 3_000;
  const COMPARED_MAX = 2_000;

  /** Copies the newest post this many times, with its rows in the search tables. */
  async function repeat(count: number): Promise<void> {
    const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
    const columns = (
      await env.DB.prepare("select name from pragma_table_info('posts')").all<{ name: string }>()
    ).results
      .map(({ name }) => name)
      .filter((name) => !['seq', 'id'].includes(name));
    const last = 'select max(seq) from posts';
    const first = (await env.DB.prepare(last).first<number>('max(seq)')) ?? 0;
    await env.DB.batch([
      env.DB.prepare(`${numbers} insert into posts (seq, id, ${columns}) select ${first} + i, 'copy-' || (${first} + i), ${columns}
        from posts, n where seq = ${first}`),
      env.DB.prepare(`update search_meanings set (version, terms, words) = (
        select version, terms, words from search_meanings where post_seq = ${first}) where post_seq > ${first}`),
      env.DB.prepare(
        `${numbers} insert into search_terms select scope, term, ${first} + i from search_terms, n where post_seq = ${first}`,
      ),
    ]);
  }

  test('makes one database call, and compares only the newest 2,000 posts that contain the rarest search term', async () => {
    await clear();
    await publish({ old: 'Phone found | Mtwara' });
    await publish({ phones: 'Phone found | Arusha' });
    await repeat(MANY);
    expect((await search('simu', '&limit=100')).meaning).toHaveLength(COMPARED_MAX);
    expect((await search('simu Mtwara')).meaning).toEqual(['old']);
    const few = await countTrips('GET', '/api/posts?search=simu%20zqxwv&limit=20');
    await repeat(MANY);
    const many = await countTrips('GET', '/api/posts?search=simu%20zqxwv&limit=20');
    expect([few.trips, many.trips]).toEqual([1, 1]);
    expect(many.rowsRead).toBeLessThanOrEqual(few.rowsRead * 1.1);
    const signedIn = await countTrips('GET', '/api/posts?search=simu%20nyeusi%20Arusha&limit=20', author);
    expect(signedIn.trips).toBe(1);
  }, 120_000);

  test('lists at most twenty posts that fit only in part (near posts), and none if ten posts fit fully', async () => {
    await clear();
    await publish({ phones: 'Phone found | Arusha' });
    await repeat(30);
    expect((await search('simu zqxwv')).near).toHaveLength(20);
    expect((await search('simu zqxwv', '&limit=7')).near).toHaveLength(20);
    await publish({ other: 'Phone zqxwv | Arusha' });
    const [first] = await (await call('GET', '/api/posts?search=simu%20zqxwv')).json<PostEntry[]>();
    expect(first?.reasons?.map(({ en }) => en)).toEqual(['phone', 'zqxwv']);
    await repeat(8);
    expect((await search('simu zqxwv')).near).toHaveLength(20);
    await repeat(1);
    expect((await search('simu zqxwv')).near).toHaveLength(0);
  }, 60_000);

  test('sorts partly fitting posts from the best fit to the worst, and equally fitting posts from the newest to the oldest', async () => {
    await clear();
    await publish({ older: 'Black handset found | Mtwara' });
    await repeat(15);
    await publish({ plain: 'Phone found | Arusha' });
    await repeat(500);
    await publish({ newer: 'Black phone found | Arusha' });
    await repeat(9);
    expect((await search('simu nyeusi zqxwv')).near).toEqual([
      ...Array(9).fill('Black phone found'),
      'newer',
      ...Array(10).fill('Black handset found'),
    ]);
  }, 60_000);
});
