import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test } from 'vitest';
import type { Photo } from '#contract/photos.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import { expectTrips } from '#tests/worker/support/count-trips.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { leave } from '#tests/worker/support/people.ts';
import { insertPhoto, load, newPostWithPhoto, objects, picture, rows } from '#tests/worker/support/posts.ts';
import { DEATH_STEP, IS_THOROUGH } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deleteLeftovers } from '#worker/photos/objects.ts';
import { fileNamesOf } from '#worker/photos/present-photos.ts';

/** A wait after which the longest upload has ended. */
const LATER_MS = 11 * 60 * 1000;

async function send(bindings: Env, method: string, path: string, { token }: Person, body?: Uint8Array): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'image/jpeg' }) };
  const ctx = createExecutionContext();
  await app.fetch(new Request(`${ORIGIN}/api${path}`, { method, headers, ...(body && { body }) }), bindings, ctx);
  await waitOnExecutionContext(ctx);
}

async function photosOf(postId: string): Promise<Photo[]> {
  return (await (await call('GET', `/api/posts/${postId}`)).json<Post>()).photos;
}

/** Checks that every photo has all its objects in the bucket, and that the bucket contains no other object. */
async function expectConsistent(dieAt: number): Promise<void> {
  const named = (await rows('photos')).flatMap(({ id }) => fileNamesOf(String(id)));
  expect([dieAt, await objects()]).toEqual([dieAt, named.sort()]);
  expect(await rows('photo_leftovers')).toEqual([]);
}

test('if the Worker dies at any point of a photo upload, the photo is either stored completely or not at all', async () => {
  const author = await newPerson();
  let deaths = 0;
  let made = 0;
  for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
    const { id } = await newPost(author);
    const mortal = mortalEnv(dieAt);
    await send(mortal.env, 'POST', `/posts/${id}/photos`, author, picture('grey.jpg'));
    if (mortal.isDead()) deaths += DEATH_STEP;
    const seen = await photosOf(id);
    for (const { url, thumbnail_url } of seen)
      expect([(await load(url)).status, (await load(thumbnail_url)).status]).toEqual([200, 200]);
    made += seen.length;
    await deleteLeftovers(env, openDb(env), Date.now() + LATER_MS);
    await expectConsistent(dieAt);
    await env.DB.exec('delete from rate_counters');
  }
  // The Worker may die before and after each call: the reads of the post and of its photos, the record of an unfinished
  // upload, the writes of three objects and of the photo's row, and another read of the post. Some requests also read
  // which features are switched off.
  expect(deaths).toBeGreaterThanOrEqual(16);
  // The photo exists if the Worker dies after the photo's row is written, or does not die.
  expect(made).toBeGreaterThanOrEqual(IS_THOROUGH ? 4 : 2);
}, 240_000);

test('if the Worker dies at any point of a photo’s deletion, the photo is either still complete or deleted completely', async () => {
  const author = await newPerson();
  let deaths = 0;
  for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
    const { post, photo } = await newPostWithPhoto(author);
    const mortal = mortalEnv(dieAt);
    await send(mortal.env, 'DELETE', `/posts/${post.id}/photos/${photo.id}`, author);
    if (mortal.isDead()) deaths += DEATH_STEP;
    const isThere = (await photosOf(post.id)).length === 1;
    expect([dieAt, (await load(photo.url)).status]).toEqual([dieAt, isThere ? 200 : 404]);
    await deleteLeftovers(env, openDb(env), Date.now());
    await expectConsistent(dieAt);
    await env.DB.exec('delete from rate_counters');
  }
  // The Worker may die before and after each of five calls: it reads the post, deletes the photo's row, reads
  // `photo_leftovers`, deletes the objects, and deletes the photo from `photo_leftovers`.
  expect(deaths).toBeGreaterThanOrEqual(10);
}, 240_000);

test('a scheduled job during an upload does not delete the uploaded picture', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const PHOTOS = {
    async put(...object: Parameters<R2Bucket['put']>) {
      await deleteLeftovers(env, openDb(env), Date.now());
      return env.PHOTOS.put(...object);
    },
  };
  await send({ ...env, PHOTOS } as unknown as Env, 'POST', `/posts/${id}/photos`, author, picture('grey.jpg'));
  await deleteLeftovers(env, openDb(env), Date.now() + LATER_MS);
  const [photo] = await photosOf(id);
  expect((await load(photo?.url ?? '')).status).toBe(200);
});

test('an upload creates no photo if it takes so long that the scheduled job deletes its picture first', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const PHOTOS = {
    put: (...object: Parameters<R2Bucket['put']>) => env.PHOTOS.put(...object),
    delete: (names: string[]) => env.PHOTOS.delete(names),
  };
  const giveUp = async (...object: Parameters<R2Bucket['put']>) => {
    const put = await env.PHOTOS.put(...object);
    await deleteLeftovers(env, openDb(env), Date.now() + LATER_MS);
    return put;
  };
  const bindings = { ...env, PHOTOS: { ...PHOTOS, put: giveUp } } as unknown as Env;
  await send(bindings, 'POST', `/posts/${id}/photos`, author, picture('grey.jpg'));
  expect(await photosOf(id)).toEqual([]);
});

test('each run of the scheduled job deletes the stored files of at most a hundred deleted photos', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (let position = 0; position < 101; position++) await insertPhoto(id, author, position);
  const names = (await rows('photos')).filter(({ post_id }) => post_id === id).map((row) => `${row.id}.webp`);
  await Promise.all(names.map((name) => env.PHOTOS.put(name, 'x')));
  await call('DELETE', `/api/posts/${id}`, undefined, author);
  const left = async () => (await objects()).filter((name) => names.includes(name)).length;
  await deleteLeftovers(env, openDb(env), Date.now());
  expect(await left()).toBe(1);
  await deleteLeftovers(env, openDb(env), Date.now());
  expect(await left()).toBe(0);
});

test('a person’s data export lists their photos, and deleting the account deletes the photos', async () => {
  const author = await newPerson();
  const { post, photo } = await newPostWithPhoto(author);
  const body = { current_password: author.password };
  const file = await (await call('POST', '/api/me/export', body, author)).json<{ photos: unknown[] }>();
  expect(file.photos).toMatchObject([{ id: photo.id, post_id: post.id, file: `${photo.id}.webp`, alt: '' }]);
  expect((await leave(author)).status).toBe(204);
  expect((await load(photo.url)).status).toBe(404);
  expect((await objects()).filter((name) => name.startsWith(photo.id))).toEqual([]);
});

test('a list of posts with photos takes no extra database call, and reads one more row for each photo', async () => {
  const author = await newPerson();
  // The test inserts the photos' rows without objects in the bucket. The test deletes the rows at the end, because
  // other tests check that every photo has its objects.
  onTestFinished(async () => {
    await env.DB.prepare('delete from photos where author_id = ?').bind(author.id).run();
  });
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push((await newPost(author)).id);
  const ask = () => expectTrips(1, 200, 'GET', '/api/posts/by-owner', author);
  const before = await ask();
  for (const id of ids) for (let position = 0; position < 4; position++) await insertPhoto(id, author, position);
  const after = await ask();
  expect(after.rowsRead - before.rowsRead).toBeLessThanOrEqual(2 * 4 * ids.length);
  const list = await after.answer.json<{ Post: Post }[]>();
  expect(list.map(({ Post }) => Post.photos.length)).toEqual([4, 4, 4, 4, 4]);
});
