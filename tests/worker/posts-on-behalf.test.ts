import { expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, somePost } from './support/api.ts';

test('that a post is for somebody else is said, and stays until its author says otherwise', async () => {
  const author = await newPerson();
  const change = async (id: string, changes: object) =>
    (await call('PUT', `/api/posts/${id}`, { ...somePost, ...changes }, author)).json<Post>();
  const made = await newPost(author, { on_behalf: true });
  expect(made.on_behalf).toBe(true);
  expect(await (await call('GET', `/api/posts/${made.id}`)).json()).toMatchObject({ on_behalf: true });
  expect((await change(made.id, { title: 'Simu' })).on_behalf).toBe(true);
  expect((await change(made.id, { on_behalf: null })).on_behalf).toBe(false);
  expect((await change(made.id, { on_behalf: true })).on_behalf).toBe(true);
  expect((await change(made.id, { on_behalf: false })).on_behalf).toBe(false);
  expect((await newPost(author)).on_behalf).toBe(false);
});

test.each(['ndiyo', 1])('%j is neither yes nor no', async (on_behalf) => {
  const answer = await call('POST', '/api/posts', { ...somePost, on_behalf }, await newPerson());
  expect([answer.status, (await answer.json<{ errors: unknown[] }>()).errors]).toMatchObject([
    422,
    [{ field: 'on_behalf' }],
  ]);
});
