import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from '#tests/worker/support/api.ts';
import { connect } from '#tests/worker/support/live.ts';
import { openDb } from '#worker/db/client.ts';
import { exportPosts } from '#worker/leaving/export-things.ts';

const PLACE = 'Kituo cha polisi Mwengexyz';

async function change(author: Person, { id }: Post, changes: object): Promise<Post> {
  const answer = await call('PUT', `/api/posts/${id}`, { ...somePost, ...changes }, author);
  expect(answer.status).toBe(200);
  return answer.json<Post>();
}

const find = async (search: string, viewer: { token?: string } = {}) =>
  (await (await call('GET', `/api/posts?search=${search}`, undefined, viewer)).json<PostEntry[]>()).length;

test('the current place of a found thing stays until its finder changes it', async () => {
  const author = await newPerson();
  const made = await newPost(author, { kept_at: PLACE });
  expect(made.kept_at).toBe(PLACE);
  expect(await (await call('GET', `/api/posts/${made.id}`)).json()).toMatchObject({ kept_at: PLACE });
  expect((await change(author, made, { title: 'Simu' })).kept_at).toBe(PLACE);
  expect((await change(author, made, { kept_at: 'Ofisi ya kata' })).kept_at).toBe('Ofisi ya kata');
  for (const none of [null, '', '  ']) {
    expect((await change(author, made, { kept_at: 'Ofisi ya kata' })).kept_at).toBe('Ofisi ya kata');
    expect((await change(author, made, { kept_at: none })).kept_at).toBeNull();
  }
  expect((await newPost(author)).kept_at).toBeNull();
});

test('a lost thing has no current place, also after a change of side', async () => {
  const author = await newPerson();
  expect((await newPost(author, { posted_by: 'owner', kept_at: PLACE })).kept_at).toBeNull();
  const found = await newPost(author, { kept_at: PLACE });
  expect((await change(author, found, { posted_by: 'owner' })).kept_at).toBeNull();
  expect((await change(author, found, {})).kept_at).toBeNull();
});

test.each(['x'.repeat(121), 'Kituo\nMwenge', 7])('%j is not a valid place', async (kept_at) => {
  const answer = await call('POST', '/api/posts', { ...somePost, kept_at }, await newPerson());
  expect([answer.status, (await answer.json<ErrorBody>()).errors]).toMatchObject([422, [{ field: 'kept_at' }]]);
});

test('a search finds the current place while the post has it, also after other changes', async () => {
  const author = await newPerson();
  const post = await newPost(author, { kept_at: 'Ghala la Bwanakipekee' });
  const finds = async () => [await find('bwanakipekee'), await find('bwanakipekee', author)];
  expect(await finds()).toEqual([1, 1]);
  await change(author, post, { title: 'Simu' });
  expect(await finds()).toEqual([1, 1]);
  await change(author, post, { posted_by: 'owner' });
  expect(await finds()).toEqual([0, 0]);
});

test('a visitor neither reads nor finds a number in it, and only the author a document’s number', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, { kind: 'document', kept_at: 'Kwa Juma 0612345678, ID 8812345' });
  const shown = async (viewer: object) =>
    (await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>()).kept_at;
  expect(await shown({})).toBe('Kwa Juma •••, ID •••2345');
  expect(await shown(reader)).toBe('Kwa Juma •••5678, ID •••2345');
  expect(await shown(author)).toBe('Kwa Juma 0612345678, ID 8812345');
  expect([await find('8812345'), await find('8812345', reader), await find('8812345', author)]).toEqual([0, 0, 1]);
});

test('a match notice contains it, without a document’s number', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const card = { title: 'NIDA card of Zuhura Kipekee', owner_first_name: 'Zuhura', owner_last_name: 'Kipekee' };
  await newPost(owner, { ...card, posted_by: 'owner' });
  const live = await connect(owner);
  await newPost(finder, { ...card, kept_at: 'Kituo cha polisi, RB 8812345' });
  await expect.poll(() => live.messages).toMatchObject([{ kept_at: 'Kituo cha polisi, RB •••2345' }]);
});

test('the author’s export contains it', async () => {
  const author = await newPerson();
  await newPost(author, { kept_at: PLACE, on_behalf: true });
  expect(await exportPosts(openDb(env), author.id)).toMatchObject([{ kept_at: PLACE, on_behalf: 1 }]);
});
