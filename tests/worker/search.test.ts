import { beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person } from './support/api.ts';

let author: Person;

/** Every post that the tests below search among, by the name they call it. */
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

/** @returns the names of what a search finds, newest first. */
async function find(search: string, more = ''): Promise<Name[]> {
  const answer = await call('GET', `/api/posts?search=${encodeURIComponent(search)}${more}`);
  if (answer.status !== 200) throw new Error(`A search for ${search} answered ${answer.status}`);
  const entries = await answer.json<PostEntry[]>();
  return entries.map(
    ({ Post }) => (Object.keys(POSTS) as Name[]).find((name) => POSTS[name].title === Post.title) as Name,
  );
}

test.each<[string, Name[]]>([
  // any substring, in every field that is searched
  ['ecn', ['simu']],
  ['Kariakoo', ['simu']],
  ['kava la bluu', ['simu']],
  ['eema', ['id']],
  ['Mwakyusa', ['id']],
  // any case
  ['tecno SPARK', ['simu']],
  ['KITAMBULISHO', ['id']],
  // one and two letters
  ['y', ['emoji', 'signs', 'ngombe', 'id', 'simu']],
  ['ka', ['words', 'ngombe', 'simu']],
  ['👛', ['emoji']],
  ['三', ['chinese']],
  ['手机', ['chinese']],
  // several words: all of them, in any order and any field, short and long mixed
  ['bluu simu', ['simu']],
  ['simu ubungo', []],
  ['ya spark kariakoo', ['simu']],
  ['mw ub', ['id']],
  ['  simu   tecno  ', ['simu']],
  // a word does not reach from one field into the next
  ['nyeusikariakoo', []],
  ['mwishomstari', []],
  ['mstari wa pili', ['lines']],
  // diacritics, compatibility forms and apostrophes
  ['cafe', ['cafe']],
  ['CAFÉ zoe', ['cafe']],
  ['cafe\u0301', ['cafe']],
  ['istanbul', ['cafe']],
  ['unguja', ['cafe']],
  ['fullwidth file', ['wide']],
  ['ng’ombe', ['ngombe']],
  ["ng'ombe", ['ngombe']],
  // everything is plain text
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
  // the index's own operators
  ['AND', ['words']],
  ['or not', ['words']],
  ['NEAR', ['words']],
  ['simu OR kitambulisho', []],
  ['simu AND tecno', []],
  ['NEAR(simu tecno)', []],
  // other scripts
  ['محفظة', ['arabic']],
  ['زنجبار محفظة', ['arabic']],
  ['جل', ['arabic']],
  ['黑色手', ['chinese']],
  // what parts words
  ['simu\u0000tecno', ['simu']],
  ['simu\u00a0tecno', ['simu']],
  ['\u0000', ['lines', 'wide', 'chinese', 'arabic', 'emoji', 'words', 'signs', 'cafe', 'ngombe', 'id', 'simu']],
])('a search for %j finds %j', async (search, expected) => {
  expect(await find(search)).toEqual(expected);
});

test('an empty search lists everything, newest first', async () => {
  expect(await find('')).toEqual((Object.keys(POSTS) as Name[]).reverse());
  expect(await find('   ')).toHaveLength(Object.keys(POSTS).length);
});

test('500 characters are searched for, and 501 are too many', async () => {
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

test('a search is not thrown off by broken bytes or by being asked twice', async () => {
  for (const query of ['search=%ff%fe', 'search=%ed%a0%80', 'search=%', 'search=%00'])
    expect((await call('GET', `/api/posts?${query}`)).status, query).toBe(200);
  expect((await call('GET', '/api/posts?search=a&search=b')).status).toBe(422);
});

test('a search narrows by kind and pages like the list', async () => {
  expect(await find('simu', '&posted_by=owner')).toEqual([]);
  expect(await find('simu', '&posted_by=finder')).toEqual(['simu']);
  const answer = await call('GET', '/api/posts?search=a&limit=2');
  expect(answer.headers.get('Link')).toMatch(/^<\/api\/posts\?search=a&limit=2&cursor=\d+>; rel="next"$/);
});

test('what is deleted or rewritten is found no more', async () => {
  const { id } = await newPost(author, { title: 'Mkobaxyz wa zamani' });
  const count = async (search: string) =>
    (await (await call('GET', `/api/posts?search=${search}`)).json<PostEntry[]>()).length;
  expect([await count('mkobaxyz'), await count('xyz wa')]).toEqual([1, 1]);
  await call('PUT', `/api/posts/${id}`, { title: 'Begi', location: 'x', phone_number: '112' }, author);
  expect([await count('mkobaxyz'), await count('begi')]).toEqual([0, 1]);
  await call('DELETE', `/api/posts/${id}`, undefined, author);
  expect(await count('begi')).toBe(0);
});
