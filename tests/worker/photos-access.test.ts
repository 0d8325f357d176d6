import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import type { Photo } from '#contract/photos.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { findOgPicture } from '#worker/photos/index.ts';
import { photoAudienceOf, selectPost } from '#worker/posts/index.ts';
import { sweep } from '#worker/sweep.ts';
import { type Caller, call, newPerson, newPost, type Person, somePost } from './support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newPlatformAdmin } from './support/communities.ts';
import { decide } from './support/moderation.ts';
import { load, newPhoto, newPostWithPhoto, objects } from './support/photos.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function photosFor(postId: string, viewer: Caller = {}): Promise<Photo[]> {
  return (await (await call('GET', `/api/posts/${postId}`, undefined, viewer)).json<Post>()).photos;
}

/** What each of a photo's addresses answers. */
function statusesOf({ url, thumbnail_url }: Photo): Promise<number[]> {
  return Promise.all([url, thumbnail_url].map(async (path) => (await load(path)).status));
}

async function ogStatus({ id }: Photo): Promise<number> {
  return (await load(`/photos/${id}-og.jpg`)).status;
}

async function communityPost(author: Person) {
  const { community, creator } = await newApprovedCommunity();
  await join(community.access_code, author);
  const made = await newPostWithPhoto(author, { community_code: await communityCodeOf(community.id, creator) });
  return { ...made, member: creator };
}

const change =
  (path: string, body: unknown, method = 'PUT') =>
  (postId: string, author: Person) =>
    call(method, `/api/posts/${postId}${path}`, body, author);
const setPost = (sets: string) => async (postId: string) =>
  env.DB.prepare(`update posts set ${sets} where id = ?`).bind(postId).run();

test('a public photo is for everybody, and kept by browsers for a day', async () => {
  const { post, photo } = await newPostWithPhoto(await newPerson());
  expect(photo.url).toMatch(/^\/photos\/[0-9a-f-]{36}\.webp$/);
  expect(await photosFor(post.id)).toEqual([photo]);
  const answer = await load(photo.url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=86400',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  const again = await load(photo.url, { 'If-None-Match': answer.headers.get('ETag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  for (const name of ['ETag', 'Cache-Control', 'Content-Type'])
    expect([name, again.headers.get(name)]).toEqual([name, answer.headers.get(name)]);
  expect(await ogStatus(photo)).toBe(200);
});

test.each([
  '/photos/x',
  `/photos/${crypto.randomUUID()}.webp`,
  `/photos/${crypto.randomUUID()}`,
  '/photos/../api/health.webp',
])('%s is nothing', async (path) => {
  expect((await load(path)).status).not.toBe(200);
});

test.each<[string, (postId: string, author: Person) => Promise<unknown>]>([
  ['deleted', change('', undefined, 'DELETE')],
  ['closed', change('/outcome', { outcome: 'given_up' })],
  ['hidden', async (postId) => decide('hide', postId, await newPlatformAdmin())],
  [
    'of somebody suspended',
    async (_id, author) => {
      const admin = await newPlatformAdmin();
      await call('POST', `/api/admin/users/${author.id}/suspend`, { reason: 'Utapeli' }, admin);
    },
  ],
  ['resting', setPost('away_since = 1')],
  ['a document', change('', { ...somePost, kind: 'document' })],
  [
    'moved into a community',
    async (postId, author) => {
      const { community, creator } = await newApprovedCommunity();
      await join(community.access_code, author);
      const community_code = await communityCodeOf(community.id, creator);
      await change('', { ...somePost, community_code })(postId, author);
    },
  ],
])('the addresses of a public photo are nothing once its post is %s', async (_what, happen) => {
  const author = await newPerson();
  const { post, photo } = await newPostWithPhoto(author);
  await happen(post.id, author);
  expect([...(await statusesOf(photo)), await ogStatus(photo)]).toEqual([404, 404, 404]);
  const signed = await photosFor(post.id, author);
  if (signed === undefined) return;
  expect(signed).toMatchObject([{ id: photo.id }]);
  expect(await Promise.all(signed.map(statusesOf))).toEqual([[200, 200]]);
});

test('a returned thing’s photo stays', async () => {
  const author = await newPerson();
  const { post, photo } = await newPostWithPhoto(author);
  await change('/outcome', { outcome: 'returned' })(post.id, author);
  expect(await statusesOf(photo)).toEqual([200, 200]);
});

test('a community’s photo is for its members alone, at addresses that are the same for an hour and good for one to two', async () => {
  const author = await newPerson();
  const { post, photo, member } = await communityPost(author);
  expect((await call('GET', `/api/posts/${post.id}`, undefined, await newPerson())).status).toBe(404);
  const start = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const [seen] = await photosFor(post.id, member);
  if (!seen) throw new Error('no photo');
  expect(await statusesOf(seen)).toEqual([200, 200]);
  expect((await load(seen.url)).headers.get('Cache-Control')).toBe('private, max-age=3600');
  vi.setSystemTime(start + HOUR_MS - 1);
  expect(await photosFor(post.id, member)).toEqual([seen]);
  vi.setSystemTime(start + HOUR_MS);
  expect(await photosFor(post.id, member)).not.toEqual([seen]);
  vi.setSystemTime(start + 2 * HOUR_MS - 1);
  expect(await statusesOf(seen)).toEqual([200, 200]);
  vi.setSystemTime(start + 2 * HOUR_MS);
  expect(await statusesOf(seen)).toEqual([404, 404]);
  expect([(await load(`/photos/${photo.id}.webp`)).status, await ogStatus(photo)]).toEqual([404, 404]);
});

test('an address is good for its own photo, time and signature alone', async () => {
  const author = await newPerson();
  const [one, two] = [await communityPost(author), await communityPost(author)];
  const url = new URL(one.photo.url, 'https://patikana.test');
  const other = new URL(two.photo.url, 'https://patikana.test');
  const query = (changes: Record<string, string>) =>
    `${url.pathname}?${new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...changes })}`;
  for (const path of [
    query({ expires: String(Number(url.searchParams.get('expires')) + HOUR_MS) }),
    query({ signature: 'x' }),
    query({ signature: '' }),
    `${url.pathname}?expires=${url.searchParams.get('expires')}`,
    url.pathname + other.search,
    one.photo.url.replace('.webp', '-og.jpg'),
  ])
    expect([path, (await load(path)).status]).toEqual([path, 404]);
  expect((await load(query({}))).status).toBe(200);
});

test.each<[string, (postId: string, author: Person) => Promise<unknown>]>([
  ['deleted', change('', undefined, 'DELETE')],
  ['closed', change('/outcome', { outcome: 'other' })],
  ['hidden', async (postId) => decide('hide', postId, await newPlatformAdmin())],
  ['made public', change('', somePost)],
  [
    'moved into another community',
    async (postId, author) => {
      const { community, creator } = await newApprovedCommunity();
      await join(community.access_code, author);
      const community_code = await communityCodeOf(community.id, creator);
      await change('', { ...somePost, community_code })(postId, author);
    },
  ],
])('the signed addresses of a community’s photo are nothing once its post is %s', async (_what, happen) => {
  const author = await newPerson();
  const { post, photo, member } = await communityPost(author);
  const [seen] = await photosFor(post.id, member);
  if (!seen) throw new Error('no photo');
  await happen(post.id, author);
  expect([await statusesOf(photo), await statusesOf(seen)]).toEqual([
    [404, 404],
    [404, 404],
  ]);
});

test('who decides on a hidden post sees its photos', async () => {
  const admin = await newPlatformAdmin();
  const { post, photo } = await newPostWithPhoto(await newPerson());
  await decide('hide', post.id, admin);
  const { post: shown } = await (await call('GET', `/api/admin/posts/${post.id}`, undefined, admin)).json<{
    post: Post;
  }>();
  expect(shown.photos).toMatchObject([{ id: photo.id }]);
  expect(await Promise.all(shown.photos.map(statusesOf))).toEqual([[200, 200]]);
  expect((await call('GET', `/api/posts/${post.id}`)).status).toBe(404);
});

test('a post that becomes a document’s shows its photos to its author alone, for seven days; then they are gone', async () => {
  const [author, reader, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
  const { post, photo } = await newPostWithPhoto(author);
  await change('', { ...somePost, kind: 'document' })(post.id, author);
  for (const viewer of [{}, reader, admin]) expect(await photosFor(post.id, viewer)).toEqual([]);
  const looked = await call('GET', `/api/admin/posts/${post.id}`, undefined, admin);
  expect((await looked.json<{ post: Post }>()).post.photos).toEqual([]);
  const [own] = await photosFor(post.id, author);
  if (!own) throw new Error('no photo');
  expect(await statusesOf(own)).toEqual([200, 200]);
  const since = await env.DB.prepare('select document_since as at from photos where id = ?').bind(photo.id).first('at');
  await sweep(env, Number(since) + 7 * DAY_MS - 1);
  expect(await photosFor(post.id, author)).toHaveLength(1);
  await sweep(env, Number(since) + 7 * DAY_MS);
  expect(await photosFor(post.id, author)).toEqual([]);
  expect((await objects()).filter((name) => name.startsWith(photo.id))).toEqual([]);
});

test('a post that is a document’s no more keeps its photos', async () => {
  const author = await newPerson();
  const { post, photo } = await newPostWithPhoto(author);
  await change('', { ...somePost, kind: 'document' })(post.id, author);
  await change('', { ...somePost, kind: 'bag' })(post.id, author);
  await sweep(env, Date.now() + 8 * DAY_MS);
  expect(await statusesOf(photo)).toEqual([200, 200]);
});

test('the picture to share is the first photo’s, for everybody or for nobody', async () => {
  const author = await newPerson();
  const post = await newPost(author);
  const found = async () => {
    const [row] = await selectPost(openDb(env), null, post.id);
    return row && findOgPicture(row.photos, photoAudienceOf(row));
  };
  expect(await found()).toBeNull();
  const [, second] = [await newPhoto(post.id, author), await newPhoto(post.id, author)];
  await call('PATCH', `/api/posts/${post.id}/photos/${second.id}`, { position: 0 }, author);
  const path = await found();
  expect(path).toBe(`/photos/${second.id}-og.jpg`);
  const answer = await load(path ?? '');
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
  await change('/outcome', { outcome: 'other' })(post.id, author);
  expect(await found()).toBeNull();
});

test('every list and answer of posts carries their photos', async () => {
  const author = await newPerson();
  const { post, photo } = await newPostWithPhoto(author, { title: 'Simuyapicha' });
  for (const path of ['/api/posts?limit=100', '/api/posts?search=simuyapicha', '/api/posts/by-owner']) {
    const list = await (await call('GET', path, undefined, author)).json<PostEntry[]>();
    expect([path, list.find(({ Post }) => Post.id === post.id)?.Post.photos]).toEqual([path, [photo]]);
  }
  const changed = await change('', { ...somePost, title: 'Simuyapicha' })(post.id, author);
  expect((await changed.json<Post>()).photos).toEqual([photo]);
});
