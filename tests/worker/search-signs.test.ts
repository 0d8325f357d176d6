import { expect, test } from 'vitest';
import type { Community } from '#contract/communities.ts';
import type { PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost } from './support/api.ts';
import { newCommunity } from './support/communities.ts';

test('posts are searched for & and # as for any other sign, and each page of them too', async () => {
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
  const find = async (search: string) => (await read(`/api/posts?search=${encodeURIComponent(search)}`)).titles;
  expect(await find('#1')).toEqual(['Duka la Mushi & Wana #1']);
  expect(await find('mushi & wana')).toEqual(['Duka la Mushi & Wana #2', 'Duka la Mushi & Wana #1']);
  expect(await find('wana & #3')).toEqual([]);
  const first = await read(`/api/posts?search=${encodeURIComponent('& wana #')}&limit=1`);
  const second = await read(first.next ?? '');
  expect([first.titles, second.titles]).toEqual([['Duka la Mushi & Wana #2'], ['Duka la Mushi & Wana #1']]);
});

test("one's communities are searched for & and # too", async () => {
  const person = await newPerson();
  for (const name of ['Mama & Baba #7', 'Mama']) await newCommunity(person, { name });
  const answer = await call('GET', `/api/communities?search=${encodeURIComponent('& baba #7')}`, undefined, person);
  expect((await answer.json<Community[]>()).map(({ name }) => name)).toEqual(['Mama & Baba #7']);
});
