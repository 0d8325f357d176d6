import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { load, newPostWithPhoto, objects, picture, rows } from '#tests/worker/support/photos.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deleteLeftovers } from '#worker/photos/objects.ts';
import { fileNamesOf } from '#worker/photos/present-photos.ts';
import { askWith, expectUnavailable, type Fault } from './database-faults.ts';

/** A timeout that never ends. */
const PATIENCE_MS = 20_000;
/** Longer than the longest upload. */
const LATER_MS = 11 * 60 * 1000;
const BUCKET_ERROR = 'put: We encountered an internal error. Please try again. (10001)';

async function refuse(): Promise<never> {
  throw new Error(BUCKET_ERROR);
}

/** Never responds, and its timeout ends at once. */
function hang(): Promise<never> {
  queueMicrotask(() => vi.advanceTimersByTime(PATIENCE_MS));
  return new Promise(() => {});
}

/** Only the timers of the waiting code: nothing else here sets any. */
async function withTimers(act: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await act();
  } finally {
    vi.useRealTimers();
  }
}

/** The real bucket, with some methods replaced. */
function bucketWith(change: Partial<Record<'put' | 'get' | 'delete', unknown>>): { PHOTOS: R2Bucket } {
  const real = {
    put: (...object: Parameters<R2Bucket['put']>) => env.PHOTOS.put(...object),
    get: (name: string) => env.PHOTOS.get(name),
    delete: (names: string[]) => env.PHOTOS.delete(names),
  };
  return { PHOTOS: { ...real, ...change } as unknown as R2Bucket };
}

/** An image service that works for this many pictures. */
function imagesAfter(good: number, make: (input: ImageTransformer) => unknown): { IMAGES: ImagesBinding } {
  let made = 0;
  const input = (stream: ReadableStream<Uint8Array>) => {
    const real = env.IMAGES.input(stream);
    if (made++ < good) return real;
    const transformer = { transform: () => transformer, output: () => make(real) };
    return transformer;
  };
  return { IMAGES: { info: (stream: ReadableStream<Uint8Array>) => env.IMAGES.info(stream), input } as ImagesBinding };
}

async function ask(bindings: object, path: string, init: RequestInit = {}): Promise<Response> {
  const ctx = createExecutionContext();
  const answer = await app.fetch(new Request(`${ORIGIN}${path}`, init), { ...env, ...bindings } as Env, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}

function upload(bindings: object, postId: string, { token }: Person, key: string): Promise<Response> {
  const headers = { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${token}`, 'Idempotency-Key': key };
  return ask(bindings, `/api/posts/${postId}/photos`, { method: 'POST', headers, body: picture('grey.jpg') });
}

/** Checks that, after the sweep, every photo has all its objects and no other object exists. */
async function expectNothingLeft(): Promise<void> {
  await deleteLeftovers(env, openDb(env), Date.now() + LATER_MS);
  const named = (await rows('photos')).flatMap(({ id }) => fileNamesOf(String(id)));
  expect(await objects()).toEqual(named.sort());
  expect(await rows('photo_leftovers')).toEqual([]);
}

/** The upload fails, its post is unchanged and other photos still work; a retry creates the photo once. */
async function expectRefused(bindings: object): Promise<void> {
  const author = await newPerson();
  const { id } = await newPost(author);
  const photosOf = async () => (await (await call('GET', `/api/posts/${id}`)).json<Post>()).photos.length;
  await expectUnavailable(await upload(bindings, id, author, 'picha'), '60');
  expect(await photosOf()).toBe(0);
  expect((await askWith(bindings, 'POST', '/posts', { person: author, body: somePost })).status).toBe(201);
  await expectNothingLeft();
  for (let time = 0; time < 2; time++) expect((await upload({}, id, author, 'picha')).status).toBe(201);
  expect(await photosOf()).toBe(1);
  await expectNothingLeft();
}

async function expectUnseen(bindings: object): Promise<void> {
  const { post, photo } = await newPostWithPhoto(await newPerson());
  expect((await ask(bindings, `/api/posts/${post.id}`)).status).toBe(200);
  const answer = await ask(bindings, photo.url);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  await expectUnavailable(answer, '60');
  expect((await load(photo.url)).status).toBe(200);
}

async function expectDeleted(bindings: object): Promise<void> {
  const author = await newPerson();
  const { post, photo } = await newPostWithPhoto(author);
  const answer = await askWith(bindings, 'DELETE', `/posts/${post.id}/photos/${photo.id}`, { person: author });
  expect([answer.status, (await load(photo.url)).status]).toEqual([204, 404]);
  expect((await objects()).filter((name) => name.startsWith(photo.id))).toHaveLength(3);
  await expectNothingLeft();
}

/** At each of a photo's three objects. */
async function atEachObject(put: () => Promise<unknown>): Promise<void> {
  for (const good of [0, 1, 2]) {
    let puts = 0;
    const real = bucketWith({}).PHOTOS;
    await expectRefused(
      bucketWith({ put: (...object: Parameters<R2Bucket['put']>) => (puts++ < good ? real.put(...object) : put()) }),
    );
  }
}

export const PHOTO_FAULTS: Fault[] = [
  {
    part: 'R2',
    fails: 'refuses uploads',
    seen: 'the photo fails, to be retried in a minute (503); posts are saved',
    afterwards: 'no photo, and none of its objects after the sweep; a retry with the same key stores it once',
    tryIt: () => atEachObject(refuse),
  },
  {
    part: 'R2',
    fails: 'refuses reads',
    seen: 'the post without its picture (503), which no cache stores',
    afterwards: 'as before',
    tryIt: () => expectUnseen(bucketWith({ get: refuse })),
  },
  {
    part: 'R2',
    fails: 'refuses deletions',
    seen: 'nothing: the photo is gone at once',
    afterwards: 'none of its objects after the sweep',
    tryIt: () => expectDeleted(bucketWith({ delete: refuse })),
  },
  {
    part: 'R2',
    fails: 'takes longer than 20 s',
    seen: 'the same as when it refuses uploads',
    afterwards: 'the same; the sweep also removes what arrived too late',
    tryIt: () =>
      withTimers(async () => {
        await atEachObject(hang);
        await expectUnseen(bucketWith({ get: hang }));
        await expectDeleted(bucketWith({ delete: hang }));
        const put = async (...object: Parameters<R2Bucket['put']>) => {
          await env.PHOTOS.put(...object);
          return hang();
        };
        await expectRefused(bucketWith({ put }));
      }),
  },
  {
    part: 'Images',
    fails: 'fails, at any of the renditions',
    seen: 'the photo fails, to be retried in a minute (503); posts are saved',
    afterwards: 'no photo, and no object; a retry with the same key stores it once',
    async tryIt() {
      for (const good of [0, 1, 2]) await expectRefused(imagesAfter(good, () => refuse()));
      await expectRefused({ IMAGES: { info: refuse } });
    },
  },
  {
    part: 'Images',
    fails: 'answers something that is not a picture, or is cut off',
    seen: 'the same',
    afterwards: 'the same',
    async tryIt() {
      const broken = new ReadableStream({ start: (controller) => controller.error(new Error('broken off')) });
      for (const body of ['', 'error 9999', broken])
        await expectRefused(imagesAfter(1, async () => ({ response: () => new Response(body) })));
    },
  },
  {
    part: 'Images',
    fails: 'takes longer than 20 s',
    seen: 'the same',
    afterwards: 'the same',
    tryIt: () =>
      withTimers(async () => {
        await expectRefused(imagesAfter(0, hang));
        await expectRefused({ IMAGES: { info: hang } });
      }),
  },
];
