import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Post, type PostEntry, postSchema } from '#contract/posts.ts';
import { call, newPerson, newPost, somePost } from './support/api.ts';
import { readRoutes } from './support/read-routes.ts';

const SECRET_NUMBER = '0666123987';

test('no route that anybody can read shows a phone number to a visitor', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, { phone_number: SECRET_NUMBER, title: 'Sirixyz' });
  const twin = { ...somePost, posted_by: 'owner', phone_number: SECRET_NUMBER, title: 'Sirixyz' };
  await newPost(await newPerson(), twin);
  const paths = readRoutes(id);
  expect(paths).toEqual(expect.arrayContaining(['/api/posts', `/api/posts/${id}`, `/api/posts/${id}/matches`]));
  for (const path of [
    ...paths,
    '/api/posts?search=sirixyz',
    '/api/posts?search=si',
    '/api/posts?limit=100',
    `/api/posts?search=${SECRET_NUMBER}`,
  ]) {
    const answer = await call('GET', path);
    expect(await answer.text(), path).not.toContain(SECRET_NUMBER);
    expect(JSON.stringify([...answer.headers]), path).not.toContain(SECRET_NUMBER);
  }
});

test('a visitor gets null for the number, and a signed-in person the number', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, { phone_number: SECRET_NUMBER });
  for (const [viewer, number] of [
    [{}, null],
    [reader, SECRET_NUMBER],
    [author, SECRET_NUMBER],
  ] as const) {
    const one = await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>();
    const list = await (await call('GET', '/api/posts?limit=100', undefined, viewer)).json<PostEntry[]>();
    expect(one.phone_number).toBe(number);
    expect(list.find(({ Post }) => Post.id === id)?.Post.phone_number).toBe(number);
  }
});

test('a number cannot be searched for', async () => {
  const author = await newPerson();
  await newPost(author, { phone_number: SECRET_NUMBER });
  for (const search of [SECRET_NUMBER, SECRET_NUMBER.slice(0, 5), '66612'])
    expect(await (await call('GET', `/api/posts?search=${search}`, undefined, author)).json()).toEqual([]);
});

test('a post tells nothing of its author but whether it is the reader’s own', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const text = await (await call('GET', `/api/posts/${id}`, undefined, await newPerson())).text();
  for (const secret of [author.id, author.email, author.phone, author.username]) expect(text).not.toContain(secret);
  const ofAuthorAlone = ['private_marks', 'has_identifiers', 'rests_at'];
  const keys = Object.keys(postSchema.shape).filter((key) => !ofAuthorAlone.includes(key));
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(keys.sort());
});

test('an answer with a number is kept by nobody on the way', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (const path of ['/api/posts', '/api/posts/by-owner', `/api/posts/${id}`]) {
    const answer = await call('GET', path, undefined, author);
    expect(answer.headers.get('Cache-Control'), path).toMatch(/no-store|private/);
  }
});

test('a number that a revoked token asks for is not shown', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, { phone_number: SECRET_NUMBER });
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(reader.id).run();
  for (const path of ['/api/posts', `/api/posts/${id}`]) {
    const answer = await call('GET', path, undefined, reader);
    expect([answer.status, (await answer.text()).includes(SECRET_NUMBER)]).toEqual([401, false]);
  }
});
