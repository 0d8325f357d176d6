import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post } from '#contract/posts.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deleteLeftovers } from '#worker/photos/objects.ts';
import { fileNamesOf } from '#worker/photos/present-photos.ts';
import { call, newPerson, newPost, ORIGIN, type Person, somePost } from './api.ts';
import { passCalls } from './mortal-env.ts';
import { load, newPostWithPhoto, objects, picture, rows } from './posts.ts';

/** A failure of one part: what users see, the state afterwards, and the test of both. */
export type Fault = {
  part: string;
  fails: string;
  seen: string;
  afterwards: string;
  /** Fails unless the texts `seen` and `afterwards` are true. */
  tryIt(): Promise<void>;
};

const LOST = 'D1_ERROR: Network connection lost.';
const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Too many requests queued.';
const SLOW_MS = 200;

type Sent = { person?: Person; body?: unknown; key?: string };

/** Calls the Worker with other bindings, and waits for its work after the response. */
export async function askWith(bindings: object, method: string, path: string, { person, body, key }: Sent = {}) {
  const ctx = createExecutionContext();
  const headers = {
    'Content-Type': 'application/json',
    ...(person && { Authorization: `Bearer ${person.token}` }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
  const request = new Request(`${ORIGIN}/api${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await app.fetch(request, { ...env, ...bindings } as Env, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}

export async function expectUnavailable(answer: Response, retryAfter: string): Promise<void> {
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([503, 'unavailable']);
  expect(answer.headers.get('Retry-After')).toBe(retryAfter);
}

/** A database whose call at position `lost`, counted from 1, fails: after it has run if `isDone`, otherwise before. */
function losing(lost: number, { isDone }: { isDone: boolean }): { DB: D1Database } {
  let calls = 0;
  const DB = passCalls(env.DB, async (act) => {
    const isLost = ++calls === lost;
    if (isLost && !isDone) throw new Error(LOST);
    const answer = await act();
    if (isLost) throw new Error(LOST);
    return answer;
  });
  return { DB };
}

function failing(message: string): { DB: D1Database } {
  const DB = passCalls(env.DB, async () => {
    throw new Error(message);
  });
  return { DB };
}

/** A database whose batch at position `broken`, counted from 1, fails at a statement in its middle. */
function breakingBatch(broken: number): { DB: D1Database; isBroken: () => boolean } {
  let batches = 0;
  const session = env.DB.withSession('first-primary');
  const batch: D1DatabaseSession['batch'] = (statements) => {
    if (++batches !== broken) return session.batch(statements);
    const middle = Math.ceil(statements.length / 2);
    const failure = env.DB.prepare('select abs(-9223372036854775808)');
    return session.batch([...statements.slice(0, middle), failure, ...statements.slice(middle)]);
  };
  const DB = { withSession: () => ({ batch, prepare: (text: string) => session.prepare(text) }) };
  return { DB: DB as unknown as D1Database, isBroken: () => batches >= broken };
}

function countPosts({ id }: Person): Promise<number | null> {
  return env.DB.prepare('select count(*) as posts from posts where author_id = ?').bind(id).first<number>('posts');
}

/** All stored data of a post, as one text. */
async function everythingOf(postId: string): Promise<string> {
  const seqs = 'select seq from posts where id = ?';
  const rows = await env.DB.batch(
    [
      `posts where seq in (${seqs})`,
      `match_terms where post_seq in (${seqs})`,
      `match_readings where post_seq in (${seqs})`,
    ].map((table) => env.DB.prepare(`select * from ${table} order by 1, 2`).bind(postId)),
  );
  return JSON.stringify(rows.map(({ results }) => results));
}

export const DATABASE_FAULTS: Fault[] = [
  {
    part: 'D1',
    fails: 'D1 loses the connection during a read',
    seen: 'no error, because the read is retried up to five times',
    afterwards: 'as before',
    async tryIt() {
      const person = await newPerson();
      expect((await askWith(losing(1, { isDone: false }), 'GET', '/posts', { person })).status).toBe(200);
      await expectUnavailable(await askWith(failing(LOST), 'GET', '/posts', { person }), '2');
    },
  },
  {
    part: 'D1',
    fails: 'D1 loses the connection after a write',
    seen: 'an error that asks for a retry (503, `Retry-After: 2`)',
    afterwards: 'it is stored; a retry with the same key answers the same and stores nothing new',
    async tryIt() {
      const person = await newPerson();
      const sent = { person, body: somePost, key: 'ufunguo' };
      await expectUnavailable(await askWith(losing(2, { isDone: true }), 'POST', '/posts', sent), '2');
      expect(await countPosts(person)).toBe(1);
      expect((await askWith({}, 'POST', '/posts', sent)).status).toBe(201);
      expect(await countPosts(person)).toBe(1);
    },
  },
  {
    part: 'D1',
    fails: 'D1 is overloaded',
    seen: 'an error at once (503, `Retry-After: 2`)',
    afterwards: 'nothing is stored, and nothing was retried',
    async tryIt() {
      const person = await newPerson();
      await expectUnavailable(await askWith(failing(OVERLOADED), 'GET', '/posts', { person }), '2');
      await expectUnavailable(await askWith(failing(OVERLOADED), 'POST', '/posts', { person, body: somePost }), '2');
      expect(await countPosts(person)).toBe(0);
    },
  },
  {
    part: 'D1',
    fails: 'D1 is slow',
    seen: 'a late response',
    afterwards: 'everything is stored',
    async tryIt() {
      const person = await newPerson();
      const DB = passCalls(env.DB, async (act) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        return act();
      });
      expect((await askWith({ DB }, 'POST', '/posts', { person, body: somePost })).status).toBe(201);
      expect(await countPosts(person)).toBe(1);
    },
  },
  {
    part: 'D1',
    fails: 'a statement in the middle of a D1 batch fails',
    seen: 'an error with an id to quote (500)',
    afterwards: 'nothing of the batch is stored',
    async tryIt() {
      const person = await newPerson();
      // No other post matches this post. Otherwise the deletion would withdraw a notice after the response, in further
      // batches.
      const body = { ...somePost, title: 'Mwavuli wa zambarau', description: null, kind: 'other' };
      const { id } = await (await askWith({}, 'POST', '/posts', { person, body })).json<Post>();
      const before = await everythingOf(id);
      let broken = 0;
      for (let at = 1; ; at++) {
        const database = breakingBatch(at);
        const answer = await askWith({ DB: database.DB }, 'DELETE', `/posts/${id}`, { person });
        if (!database.isBroken()) break;
        broken++;
        const { code, request_id } = await answer.json<ErrorBody>();
        expect([answer.status, code, request_id === undefined]).toEqual([500, 'internal_error', false]);
        expect(await everythingOf(id)).toBe(before);
      }
      expect(broken).toBeGreaterThan(0);
      expect((await call('GET', `/api/posts/${id}`, undefined, person)).status).toBe(404);
    },
  },
];

/** How long the Worker waits for the bucket and the image service. */
const PATIENCE_MS = 20_000;
/** Longer than the longest upload. */
const LATER_MS = 11 * 60 * 1000;
const BUCKET_ERROR = 'put: We encountered an internal error. Please try again. (10001)';

async function refuse(): Promise<never> {
  throw new Error(BUCKET_ERROR);
}

/** A call without a response. Its timeout ends at once. */
function hang(): Promise<never> {
  queueMicrotask(() => vi.advanceTimersByTime(PATIENCE_MS));
  return new Promise(() => {});
}

/** Fakes the timers while the function runs, so that `hang` can end a timeout. */
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

/** An image service that works for the first `good` pictures, and calls `make` for each later picture. */
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

/**
 * Deletes the objects of failed uploads and deleted photos, as the scheduled sweep does. Then checks that every photo
 * has all its objects, and that no other object exists.
 */
async function expectNothingLeft(): Promise<void> {
  await deleteLeftovers(env, openDb(env), Date.now() + LATER_MS);
  const named = (await rows('photos')).flatMap(({ id }) => fileNamesOf(String(id)));
  expect(await objects()).toEqual(named.sort());
  expect(await rows('photo_leftovers')).toEqual([]);
}

/**
 * Checks that the upload fails, that its post is unchanged, and that a post can still be created. Then checks that
 * retries of the upload create the photo once.
 */
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

/** Checks three uploads, which store zero, one and two of the photo's objects before storing fails. */
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
    fails: 'R2 refuses uploads',
    seen: 'an error for the photo (503), and the saved post',
    afterwards: 'no photo, and none of its objects after the sweep; a retry with the same key stores it once',
    tryIt: () => atEachObject(refuse),
  },
  {
    part: 'R2',
    fails: 'R2 refuses reads',
    seen: 'the post without its picture',
    afterwards: 'as before',
    tryIt: () => expectUnseen(bucketWith({ get: refuse })),
  },
  {
    part: 'R2',
    fails: 'R2 refuses deletions',
    seen: 'no error, and no longer sees the photo',
    afterwards: 'none of its objects after the sweep',
    tryIt: () => expectDeleted(bucketWith({ delete: refuse })),
  },
  {
    part: 'R2',
    fails: 'R2 takes longer than 20 s',
    seen: 'an error for the photo (503), and the saved post',
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
    fails: 'the image service fails at any size of a photo',
    seen: 'an error for the photo (503), and the saved post',
    afterwards: 'no photo, and no object; a retry with the same key stores it once',
    async tryIt() {
      for (const good of [0, 1, 2]) await expectRefused(imagesAfter(good, () => refuse()));
      await expectRefused({ IMAGES: { info: refuse } });
    },
  },
  {
    part: 'Images',
    fails: 'the image service responds with something that is not a whole picture',
    seen: 'an error for the photo (503), and the saved post',
    afterwards: 'the same',
    async tryIt() {
      const broken = new ReadableStream({ start: (controller) => controller.error(new Error('broken off')) });
      for (const body of ['', 'error 9999', broken])
        await expectRefused(imagesAfter(1, async () => ({ response: () => new Response(body) })));
    },
  },
  {
    part: 'Images',
    fails: 'the image service takes longer than 20 s',
    seen: 'an error for the photo (503), and the saved post',
    afterwards: 'the same',
    tryIt: () =>
      withTimers(async () => {
        await expectRefused(imagesAfter(0, hang));
        await expectRefused({ IMAGES: { info: hang } });
      }),
  },
];
