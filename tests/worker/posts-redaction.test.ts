import { expect, test } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, somePost } from './support/api.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { connect, settled } from './support/live.ts';
import { insertPhoto } from './support/photos.ts';
import { readRoutes } from './support/read-routes.ts';

const TEXTS = ['title', 'owner_first_name', 'owner_last_name', 'location', 'description'] as const;

/** Each of a post's texts says it. */
const saying = (text: string) => Object.fromEntries(TEXTS.map((field) => [field, `${text} ${field}`]));
const textsOf = (post: Post) => TEXTS.map((field) => post[field]);
const asShown = (text: string) => TEXTS.map((field) => `${text} ${field}`);

async function readBoth(id: string, viewer: { token?: string }) {
  const one = await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>();
  const list = await (await call('GET', '/api/posts?limit=100', undefined, viewer)).json<PostEntry[]>();
  expect(list.find(({ Post }) => Post.id === id)?.Post).toEqual(one);
  return textsOf(one);
}

test('a number in a text is not for visitors, but for whoever is signed in', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, saying('Simu 0612 345 678 juma@example.com'));
  expect(await readBoth(id, {})).toEqual(asShown('Simu ••• •••'));
  for (const viewer of [reader, author])
    expect(await readBoth(id, viewer)).toEqual(asShown('Simu 0612 345 678 juma@example.com'));
});

test('nor is one beside a photo, in the list, at the post’s address or on its page to share', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author);
  const photo = { id: await insertPhoto(id, author) };
  await call('PATCH', `/api/posts/${id}/photos/${photo.id}`, { alt: 'Piga 0612 345 678' }, author);
  const altsFor = async (viewer: { token?: string }) => {
    const one = await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>();
    const list = await (await call('GET', '/api/posts?limit=100', undefined, viewer)).json<PostEntry[]>();
    return [one, list.find(({ Post }) => Post.id === id)?.Post].map((post) => post?.photos[0]?.alt);
  };
  expect(await altsFor({})).toEqual(['Piga •••', 'Piga •••']);
  expect(await altsFor(reader)).toEqual(['Piga 0612 345 678', 'Piga 0612 345 678']);
  const page = await (await call('GET', `/p/${id}`)).text();
  expect([page.includes('Piga •••'), page.includes('345 678')]).toEqual([true, false]);
});

test('of a document’s number only its author sees more than the end, and a visitor not even that of a phone number', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, saying('Leseni AB654321, simu 0612345678'));
  expect(await readBoth(id, {})).toEqual(asShown('Leseni AB•••4321, simu •••'));
  expect(await readBoth(id, reader)).toEqual(asShown('Leseni AB•••4321, simu •••5678'));
  expect(await readBoth(id, author)).toEqual(asShown('Leseni AB654321, simu 0612345678'));
});

test('a platform admin reads a document like everybody else, and whole only where they decide on it', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author, saying('Leseni AB654321'));
  expect(await readBoth(id, admin)).toEqual(asShown('Leseni AB•••4321'));
  const { post } = await (await call('GET', `/api/admin/posts/${id}`, undefined, admin)).json<{ post: Post }>();
  expect(textsOf(post)).toEqual(asShown('Leseni AB654321'));
});

test('a post that becomes a document, or is one no longer, is shown so at once', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, { title: 'Pochi 654321' });
  for (const [kind, title] of [
    ['document', 'Pochi •••4321'],
    ['bag', 'Pochi 654321'],
  ]) {
    await call('PUT', `/api/posts/${id}`, { ...somePost, title: 'Pochi 654321', kind }, author);
    expect(await (await call('GET', `/api/posts/${id}`, undefined, reader)).json()).toMatchObject({ title });
  }
});

test('whoever a document is matched with reads no more of it, wherever they are told', async () => {
  const [loser, finder] = [await newPerson(), await newPerson()];
  const nida = '19900101-14105-00002-24';
  const [hidden, hiddenToo] = ['88887777666655554444', '777788889999'];
  const live = await connect(loser);
  const lost = { title: `Nimepoteza kitambulisho cha NIDA ${nida}`, owner_first_name: 'Asha', owner_last_name: 'Juma' };
  const { id } = await newPost(loser, { ...lost, posted_by: 'owner', description: '' });
  await newPost(finder, {
    ...lost,
    title: `Kitambulisho cha NIDA, ${hidden}`,
    description: `Namba ${nida}`,
    location: `Kariakoo, kibanda ${hiddenToo}`,
  });
  await expect.poll(() => live.messages.length, { timeout: 20_000 }).toBe(1);
  await settled(live);

  const title = 'Kitambulisho cha NIDA, •••4444';
  const { notices } = await (await call('GET', '/api/notices', undefined, loser)).json<NoticeList>();
  const matches = await (await call('GET', `/api/posts/${id}/matches`, undefined, loser)).json<PostMatch[]>();
  expect(live.messages[0]).toMatchObject({ title, location: 'Kariakoo, kibanda •••9999' });
  expect(notices[0]?.message).toEqual(live.messages[0]);
  expect(matches[0]?.Post).toMatchObject({ title, description: 'Namba •••02-24' });
  const read = await Promise.all(
    [...readRoutes(id), `/api/posts?search=kitambulisho`].map(async (path) => {
      return (await call('GET', path, undefined, loser)).text();
    }),
  );
  for (const text of [...read, JSON.stringify(live.messages)]) {
    expect(text).not.toContain(hidden);
    expect(text).not.toContain(hiddenToo);
  }
  live.socket.close();
});

test('no route that a visitor can read shows a number that stands in a text', async () => {
  const { id } = await newPost(await newPerson(), saying('Simu 0612345679'));
  for (const path of [...readRoutes(id), '/api/posts?search=simu', '/api/posts?limit=100']) {
    expect(await (await call('GET', path)).text(), path).not.toContain('0612345679');
  }
});
