import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import { call, newPerson, newPost, type Person, somePost } from './support/api.ts';
import { newReader, postsIn, readPosts } from './support/given-numbers.ts';
import { judge, saveMatched } from './support/judged-posts.ts';

const WITHOUT = { phone_number: null, is_author_proven: null, is_contact_limited: false, contact_opens_at: null };

async function countGiven({ id }: Person): Promise<unknown> {
  return env.DB.prepare('select post_count, notice_count from given_numbers where reader_id = ?').bind(id).first();
}

async function messagesOf(person: Person) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.map(({ message }) => message);
}

test('who wants a claim first keeps the number: nobody else reads it anywhere, and it counts against nobody', async () => {
  const [author, reader] = [await newPerson(), await newReader('10.9.0.1')];
  const { id, phone_number } = await newPost(author, { contact: 'claim', title: 'Pochi ya Mbagala' });
  expect(phone_number).toBe(somePost.phone_number);
  for (const path of [`/api/posts/${id}`, '/api/posts?limit=100', '/api/posts?search=Mbagala']) {
    const found = (await readPosts(path, reader)).find((post) => post.id === id);
    expect(found, path).toMatchObject({ ...WITHOUT, contact: 'claim' });
    expect(JSON.stringify(found)).not.toContain('712345678');
  }
  const { post_count } = ((await countGiven(reader)) ?? { post_count: 0 }) as { post_count: number };
  const others = (await readPosts('/api/posts?limit=100', reader)).filter((post) => post.phone_number !== null);
  expect(post_count).toBe(others.length);
  expect(await readPosts(`/api/posts/${id}`, author)).toMatchObject([{ phone_number: somePost.phone_number }]);
});

test('its author may change their mind, and what is left out stays', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id, contact } = await newPost(author);
  expect(contact).toBe('number');
  for (const [sent, becomes] of [
    ['claim', 'claim'],
    [undefined, 'claim'],
    [null, 'number'],
  ] as const) {
    const body = { ...somePost, ...(sent !== undefined && { contact: sent }) };
    const [changed] = await postsIn(await call('PUT', `/api/posts/${id}`, body, author));
    expect(changed?.contact).toBe(becomes);
    const [seen] = await readPosts(`/api/posts/${id}`, reader);
    expect(seen?.phone_number).toBe(becomes === 'claim' ? null : somePost.phone_number);
  }
  expect((await call('PUT', `/api/posts/${id}`, { ...somePost, contact: 'email' }, author)).status).toBe(422);
});

test.each(['document', 'electronics'] as const)(
  'the number of a post of kind %s is in lists and in its notices unless its author chose otherwise',
  async (kind) => {
    const [owner, finder] = [await newPerson(), await newPerson()];
    const { id } = await newPost(finder, { kind, title: `Kitu cha ${kind}` });
    const listed = (await readPosts(`/api/posts?limit=100&kind=${kind}`, owner)).find((post) => post.id === id);
    expect(listed).toMatchObject({ contact: 'number', phone_number: somePost.phone_number });
    const [lost, found] = [await saveMatched(owner, 'owner'), await saveMatched(finder, 'finder')];
    await env.DB.prepare('update posts set kind = ? where id = ?').bind(kind, found).run();
    await judge(lost, { [found]: 'sure' });
    expect(await messagesOf(owner)).toMatchObject([{ post_id: found, phone_number: somePost.phone_number }]);
  },
);

test('a notice of such a post carries no number, takes no place of one that does, and never gets one later', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await saveMatched(owner, 'owner');
  const found = await saveMatched(finder, 'finder');
  await env.DB.prepare("update posts set contact = 'claim' where id = ?").bind(found).run();
  await judge(lost, { [found]: 'sure' });
  expect(await messagesOf(owner)).toMatchObject([{ post_id: found, phone_number: null, is_contact_limited: false }]);
  expect(await countGiven(owner)).toBeNull();
  await env.DB.prepare("update posts set contact = 'number' where id = ?").bind(found).run();
  expect(await messagesOf(owner)).toMatchObject([{ phone_number: null }]);
});

test('a notice that was told with a number loses it when its author wants a claim first', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await saveMatched(owner, 'owner');
  const found = await saveMatched(finder, 'finder');
  await judge(lost, { [found]: 'sure' });
  expect(await messagesOf(owner)).toMatchObject([{ phone_number: somePost.phone_number }]);
  await env.DB.prepare("update posts set contact = 'claim' where id = ?").bind(found).run();
  expect(await messagesOf(owner)).toMatchObject([{ phone_number: null }]);
});
