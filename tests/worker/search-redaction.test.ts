import { beforeAll, expect, test } from 'vitest';
import type { Post, PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from './support/api.ts';
import { communityCodeOf, join, newApprovedCommunity } from './support/communities.ts';

let author: Person;
let reader: Person;
let code: string;

beforeAll(async () => {
  [author, reader] = [await newPerson(), await newPerson()];
  const { community } = await newApprovedCommunity();
  for (const person of [author, reader]) await join(community.access_code, person);
  code = await communityCodeOf(community.id, reader);
});

/** Whether the post is among what that viewer finds. */
async function finds(viewer: { token?: string }, { id }: Post, search: string): Promise<boolean> {
  const path = `/api/posts?limit=100&search=${encodeURIComponent(search)}`;
  const found = await (await call('GET', path, undefined, viewer)).json<PostEntry[]>();
  return found.some(({ Post }) => Post.id === id);
}

test('a visitor finds a post by what they see of it, and by no number in its texts', async () => {
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
  ['public', () => null],
  ['a community’s', () => code],
])('only its author finds a document that is %s by digits that others do not see', async (_where, community) => {
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

test('in its community too', async () => {
  await newPost(author, { title: 'Pasipoti TZ97531086', community_code: code });
  const count = async (viewer: Person, search: string) =>
    (await (await call('GET', `/api/posts?community_code=${code}&search=${search}`, undefined, viewer)).json<[]>())
      .length;
  expect([await count(author, '97531086'), await count(reader, '97531086'), await count(reader, '1086')]).toEqual([
    1, 0, 1,
  ]);
  expect([await count(author, '97'), await count(reader, '97')]).toEqual([1, 0]);
});

test('a change of text, kind or community changes who finds it by what', async () => {
  const post = await newPost(author, { title: 'Pochi 75319864', description: '' });
  const change = (changes: object) =>
    call('PUT', `/api/posts/${post.id}`, { ...somePost, title: 'Pochi 75319864', description: '', ...changes }, author);
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

test('a search that names what stands for what is hidden finds nothing more', async () => {
  const post = await newPost(author, { title: 'Leseni 97531864', description: '' });
  expect(await finds({}, post, '•••1864')).toBe(true);
  expect(await finds(reader, post, '•••5318')).toBe(false);
});

test('a visitor’s pages are whole where most posts that have the words are not theirs to find', async () => {
  const titles = Array.from({ length: 24 }, (_, index) =>
    index % 4 === 0 ? `wholepages wazi ${index}` : `wholepages wazi 06138642${String(index).padStart(2, '0')}`,
  );
  for (const title of titles) await newPost(await newPerson(), { title, description: '' });
  const search = async (text: string) => {
    const answer = await call('GET', `/api/posts?limit=5&search=${text}`);
    return { count: (await answer.json<[]>()).length, next: answer.headers.get('Link') };
  };
  expect(await search('wholepages%206138642')).toEqual({ count: 0, next: null });
  expect(await search('wholepages%20wazi')).toEqual({ count: 5, next: expect.stringContaining('cursor=') });
});
