import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post, PostMatch } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { renewReadings } from '#worker/matching/index.ts';
import { call, newPerson, newPost, type Person, read, somePost } from './support/api.ts';

const db = openDb(env);

async function change(author: Person, { id }: Post, changes: object): Promise<Post> {
  const answer = await call('PUT', `/api/posts/${id}`, { ...somePost, ...changes }, author);
  expect(answer.status).toBe(200);
  return answer.json<Post>();
}

const kindInTable = (id: string) =>
  env.DB.prepare('select kind from posts where id = ?').bind(id).first<string | null>('kind');

test('a post’s kind is that of its text, in the answer to it and after each change', async () => {
  const author = await newPerson();
  const made = await newPost(author, { title: 'Nimepoteza pasipoti' });
  expect(made.kind).toBe('document');
  expect((await change(author, made, { title: 'Mbwa mweupe amepotea', description: '' })).kind).toBe('animal');
  expect(await (await call('GET', `/api/posts/${made.id}`)).json()).toMatchObject({ kind: 'animal' });
});

test('what its author chose stays until they choose again, or leave it to the text', async () => {
  const author = await newPerson();
  const made = await newPost(author, { title: 'Nimepoteza pasipoti', kind: 'bag' });
  expect(made.kind).toBe('bag');
  expect((await change(author, made, { title: 'Nimepoteza leseni' })).kind).toBe('bag');
  expect((await change(author, made, { title: 'Nimepoteza leseni', kind: 'wear' })).kind).toBe('wear');
  expect((await change(author, made, { title: 'Nimepoteza leseni', kind: null })).kind).toBe('document');
  expect((await change(author, made, { title: 'Funguo za gari', description: '' })).kind).toBe('key');
});

test('null in a new post leaves the kind to its text', async () => {
  expect(await newPost(await newPerson(), { title: 'Baiskeli', kind: null })).toMatchObject({ kind: 'vehicle' });
});

test.each(['', 'phone', 'Document', 7])('%j is no kind', async (kind) => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (const [method, path] of [['POST', '/api/posts'] as const, ['PUT', `/api/posts/${id}`] as const]) {
    const answer = await call(method, path, { ...somePost, kind }, author);
    expect(answer.status).toBe(422);
    expect((await answer.json<ErrorBody>()).errors).toEqual([{ field: 'kind', message: expect.any(String) }]);
  }
});

test('what the lists say anew of a kind the sweep writes, but not over what an author chose', async () => {
  const author = await newPerson();
  const [derived, chosen] = [await newPost(author), await newPost(author, { kind: 'wear' })];
  await env.DB.batch([
    env.DB.prepare("update posts set kind = 'bag' where id = ?").bind(derived.id),
    env.DB.prepare("update match_readings set version = '0'"),
  ]);
  await renewReadings(db);
  expect([await kindInTable(derived.id), await kindInTable(chosen.id)]).toEqual(['electronics', 'wear']);
});

test('two posts in the same words are a sure match only while their authors choose the same kind', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const words = { title: 'Zulufuna QRT yenye kamba nyekundu', description: 'Imeandikwa Zawadi Mollel 77' };
  const lost = await newPost(owner, { ...words, posted_by: 'owner', kind: 'key' });
  const found = await newPost(finder, { ...words, posted_by: 'finder', kind: 'electronics' });
  const match = async () => (await read<PostMatch[]>(`/api/posts/${lost.id}/matches`, owner))[0];
  expect(await match()).toMatchObject({ confidence: 'possible', Post: { id: found.id } });
  expect((await read<NoticeList>('/api/notices', owner)).notices).toEqual([]);
  await change(finder, found, { ...words, posted_by: 'finder', kind: 'key' });
  expect(await match()).toMatchObject({ confidence: 'sure', Post: { id: found.id } });
});
