import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Switches } from '#contract/admin.ts';
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import type { LogEntry } from '#contract/moderation.ts';
import type { Photo } from '#contract/photos.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import {
  type Caller,
  call,
  newPerson,
  newPost,
  ORIGIN,
  type Person,
  read,
  somePost,
} from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { decide } from '#tests/worker/support/moderation.ts';
import { load, newPhoto, newPostWithPhoto, objects, picture, sendPhoto } from '#tests/worker/support/posts.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { photoAudienceOf } from '#worker/conditions/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { allowancesOf } from '#worker/limits/allowance.ts';
import { findOgPicture } from '#worker/photos/present-photos.ts';
import { selectPost } from '#worker/posts/find-post.ts';
import { sweep } from '#worker/sweep.ts';

describe('access to photos', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  async function photosFor(postId: string, viewer: Caller = {}): Promise<Photo[]> {
    return (await (await call('GET', `/api/posts/${postId}`, undefined, viewer)).json<Post>()).photos;
  }

  /** The statuses of a photo's two URLs. */
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

  test('a public photo is visible to everybody, and browsers cache it for a day', async () => {
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
  ])('a request for the path %s, where there is no photo, does not get status 200', async (path) => {
    expect((await load(path)).status).not.toBe(200);
  });

  test.each<[string, (postId: string, author: Person) => Promise<unknown>]>([
    ['deleted', change('', undefined, 'DELETE')],
    ['closed', change('/outcome', { outcome: 'given_up' })],
    ['hidden', async (postId) => decide('hide', postId, await newPlatformAdmin())],
    [
      'hidden because its author is suspended',
      async (_id, author) => {
        const admin = await newPlatformAdmin();
        await call('POST', `/api/admin/users/${author.id}/suspend`, { reason: 'Utapeli' }, admin);
      },
    ],
    ['resting', setPost('away_since = 1')],
    ['about a document', change('', { ...somePost, kind: 'document' })],
    [
      'moved into a community',
      async (postId, author) => {
        const { community, creator } = await newApprovedCommunity();
        await join(community.access_code, author);
        const community_code = await communityCodeOf(community.id, creator);
        await change('', { ...somePost, community_code })(postId, author);
      },
    ],
  ])('the URLs of a public photo give 404 once its post is %s', async (_what, happen) => {
    const author = await newPerson();
    const { post, photo } = await newPostWithPhoto(author);
    await happen(post.id, author);
    expect([...(await statusesOf(photo)), await ogStatus(photo)]).toEqual([404, 404, 404]);
    const signed = await photosFor(post.id, author);
    if (signed === undefined) return;
    expect(signed).toMatchObject([{ id: photo.id }]);
    expect(await Promise.all(signed.map(statusesOf))).toEqual([[200, 200]]);
  });

  test('a photo of a returned thing stays visible', async () => {
    const author = await newPerson();
    const { post, photo } = await newPostWithPhoto(author);
    await change('/outcome', { outcome: 'returned' })(post.id, author);
    expect(await statusesOf(photo)).toEqual([200, 200]);
  });

  test('a photo of a community’s post is shown only to members, at signed URLs that are valid for one to two hours', async () => {
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

  test('a signed photo URL gives 404 if its photo, expiry time or signature is changed', async () => {
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
  ])('the signed URLs of a photo in a community give 404 once its post is %s', async (_what, happen) => {
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

  test('admins who decide on a hidden post see its photos', async () => {
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

  test('if a post’s kind is changed to document, its photos are visible only to the author, and are deleted after seven days', async () => {
    const [author, reader, admin] = [await newPerson(), await newPerson(), await newPlatformAdmin()];
    const { post, photo } = await newPostWithPhoto(author);
    await change('', { ...somePost, kind: 'document' })(post.id, author);
    for (const viewer of [{}, reader, admin]) expect(await photosFor(post.id, viewer)).toEqual([]);
    const looked = await call('GET', `/api/admin/posts/${post.id}`, undefined, admin);
    expect((await looked.json<{ post: Post }>()).post.photos).toEqual([]);
    const [own] = await photosFor(post.id, author);
    if (!own) throw new Error('no photo');
    expect(await statusesOf(own)).toEqual([200, 200]);
    const since = await env.DB.prepare('select document_since as at from photos where id = ?')
      .bind(photo.id)
      .first('at');
    await sweep(env, Number(since) + 7 * DAY_MS - 1);
    expect(await photosFor(post.id, author)).toHaveLength(1);
    await sweep(env, Number(since) + 7 * DAY_MS);
    expect(await photosFor(post.id, author)).toEqual([]);
    expect((await objects()).filter((name) => name.startsWith(photo.id))).toEqual([]);
  });

  test('if a post’s kind is changed to document and soon changed back, the post’s photos are not deleted', async () => {
    const author = await newPerson();
    const { post, photo } = await newPostWithPhoto(author);
    await change('', { ...somePost, kind: 'document' })(post.id, author);
    await change('', { ...somePost, kind: 'bag' })(post.id, author);
    await sweep(env, Date.now() + 8 * DAY_MS);
    expect(await statusesOf(photo)).toEqual([200, 200]);
  });

  test('the preview picture of a shared post is the post’s first photo, if everybody may see that photo', async () => {
    const author = await newPerson();
    const post = await newPost(author);
    const found = async () => {
      const row = await selectPost(openDb(env), null, post.id);
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

  test('a post’s photos are in lists of posts, in search results and in the response to an edit of the post', async () => {
    const author = await newPerson();
    const { post, photo } = await newPostWithPhoto(author, { title: 'Simuyapicha' });
    for (const path of ['/api/posts?limit=100', '/api/posts?search=simuyapicha', '/api/posts/by-owner']) {
      const list = await (await call('GET', path, undefined, author)).json<PostEntry[]>();
      expect([path, list.find(({ Post }) => Post.id === post.id)?.Post.photos]).toEqual([path, [photo]]);
    }
    const changed = await change('', { ...somePost, title: 'Simuyapicha' })(post.id, author);
    expect((await changed.json<Post>()).photos).toEqual([photo]);
  });
});

describe('limits on photos', () => {
  afterEach(() => vi.restoreAllMocks());

  const REFUSED = [429, 'too_many_requests'];
  const OFF = [503, 'switched_off'];
  const ALL_ON: Switches = { registration: true, photos: true, claims: true, whatsapp_notices: true };

  const outcomeOf = async (answer: Response) =>
    answer.ok ? [answer.status] : [answer.status, (await answer.json<{ code: string }>()).code];

  async function prove({ id }: Person): Promise<void> {
    await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(id).run();
  }

  test('a person can add at most four photos a day until they have proven their phone number', async () => {
    const author = await newPerson();
    const [first, second] = [await newPost(author), await newPost(author)];
    for (let index = 0; index < 4; index++) await newPhoto(first.id, author);
    const refused = await sendPhoto(second.id, author, picture('grey.jpg'));
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(23 * 60 * 60);
    expect(await outcomeOf(refused)).toEqual(REFUSED);
    await prove(author);
    await newPhoto(second.id, author);
  });

  test('all people in an IPv6 network share one photo limit, except people who have proven their phone number', async () => {
    const sendFrom = async (address: string, isProven = false) => {
      const author = await newPerson();
      if (isProven) await prove(author);
      const { id } = await newPost(author);
      const caller = { ...author, headers: { 'CF-Connecting-IP': address } };
      return outcomeOf(await sendPhoto(id, caller, picture('grey.jpg')));
    };
    expect(await sendFrom('2001:db8:70:100::1')).toEqual([201]);
    const [of64, of56, of48] = allowancesOf(readConfig(env), 'photo_try_address', '2001:db8:70:100::1');
    const fill = (allowance: typeof of56) =>
      env.DB.prepare('update rate_counters set count = ? where subject = ?')
        .bind((allowance?.max ?? 0) - 1, allowance?.key)
        .run();
    await fill(of64);
    expect(await sendFrom('2001:db8:70:100::2')).toEqual([201]);
    expect(await sendFrom('2001:db8:70:100::3')).toEqual(REFUSED);
    expect(await sendFrom('2001:db8:70:100::4', true)).toEqual([201]);
    await fill(of56);
    expect(await sendFrom('2001:db8:70:101::1')).toEqual([201]);
    expect(await sendFrom('2001:db8:70:102::1')).toEqual(REFUSED);
    await fill(of48);
    expect(await sendFrom('2001:db8:70:200::1')).toEqual([201]);
    expect(await sendFrom('2001:db8:70:300::1')).toEqual(REFUSED);
    expect(await sendFrom('2001:db8:71:300::1')).toEqual([201]);
  });

  /**
   * Uploads a photo on a day with this many image transformations left.
   * @returns the result, and how many were used.
   */
  async function upload(postId: string, { token }: Person, transformations: number, bytes = picture('grey.jpg')) {
    let done = 0;
    const images = {
      info: (stream: ReadableStream<Uint8Array>) => env.IMAGES.info(stream),
      input: (stream: ReadableStream<Uint8Array>) => {
        done++;
        return env.IMAGES.input(stream);
      },
    };
    const request = new Request(`${ORIGIN}/api/posts/${postId}/photos`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${token}` },
      body: bytes,
    });
    const bindings = { ...env, IMAGES: images, PHOTO_TRANSFORMATIONS_A_DAY: String(transformations) } as never;
    const context = createExecutionContext();
    const answer = await app.fetch(request, bindings, context);
    await waitOnExecutionContext(context);
    return { outcome: await outcomeOf(answer), done };
  }

  type Uploader = { postId: string; author: Person };

  /** Starts a day on which no image has been transformed. @returns an admin, and four people with a post each. */
  async function startDay(): Promise<{ admin: Person; uploaders: Uploader[] }> {
    await env.DB.exec("delete from rate_counters where subject like 'photo_work%'");
    const admin = await newPlatformAdmin();
    await call('PUT', '/api/admin/switches', ALL_ON, admin);
    const newUploader = async () => {
      const author = await newPerson();
      await prove(author);
      return { author, postId: (await newPost(author)).id };
    };
    return { admin, uploaders: await Promise.all([1, 2, 3, 4].map(newUploader)) };
  }

  function ofFour<Item>([first, second, third, fourth]: Item[]): [Item, Item, Item, Item] {
    if (!first || !second || !third || !fourth) throw new Error('There are not four');
    return [first, second, third, fourth];
  }

  test('when the day’s image processing budget is used up, photos are switched off until an admin switches them on again', async () => {
    const logs = captureLogs();
    const { admin, uploaders } = await startDay();
    const [first, second, third, last] = ofFour(uploaders);
    let spent = 0;
    for (const { postId, author } of [first, second]) {
      const { outcome, done } = await upload(postId, author, 20);
      expect(outcome).toEqual([201]);
      spent += done;
    }
    expect((await upload(third.postId, third.author, spent + 8)).outcome).toEqual([201]);
    expect(await upload(last.postId, last.author, spent + 8)).toEqual({ outcome: OFF, done: 0 });
    expect(logs.error.mock.calls.map(([line]) => line.event)).toEqual(['photos_switched_off']);
    expect(await outcomeOf(await sendPhoto(last.postId, last.author, picture('grey.jpg')))).toEqual(OFF);
    expect(await read<Switches>('/api/admin/switches', admin)).toEqual({ ...ALL_ON, photos: false });
    const [entry] = await read<LogEntry[]>('/api/admin/log?limit=1', admin);
    expect(entry).toMatchObject({ actor_id: null, action: 'switch_off', target_type: 'switch', target_id: 'photos' });
    await call('PUT', '/api/admin/switches', ALL_ON, admin);
    expect((await upload(last.postId, last.author, 20)).outcome).toEqual([201]);
    expect(logs.error).toHaveBeenCalledTimes(1);
  });

  test('concurrent uploads do not exceed the day’s budget of image processing', async () => {
    captureLogs();
    const { admin, uploaders } = await startDay();
    const uploads = await Promise.all(
      uploaders.flatMap(({ postId, author }) => [1, 2, 3, 4].map(() => upload(postId, author, 20))),
    );
    expect(uploads.reduce((sum, { done }) => sum + done, 0)).toBeLessThanOrEqual(20);
    expect(uploads.filter(({ outcome }) => outcome[0] !== 201).length).toBeGreaterThan(10);
    await call('PUT', '/api/admin/switches', ALL_ON, admin);
  });

  test('while uploads in progress have reserved the rest of the day’s image processing budget, another upload gets a temporary error', async () => {
    const logs = captureLogs();
    const { admin, uploaders } = await startDay();
    const [{ postId, author }] = ofFour(uploaders);
    expect((await upload(postId, author, 80)).outcome).toEqual([201]);
    await env.DB.exec(
      "update rate_counters set count = 73 where subject like 'photo_work:%' and count < 8 and length(subject) < 20",
    );
    expect(await upload(postId, author, 80)).toEqual({ outcome: [503, 'unavailable'], done: 0 });
    expect(await read<Switches>('/api/admin/switches', admin)).toEqual(ALL_ON);
    expect(logs.error).not.toHaveBeenCalled();
  });

  test('one person can use at most a quarter of the day’s image processing budget', async () => {
    captureLogs();
    const { admin, uploaders } = await startDay();
    const [{ postId, author }, other] = ofFour(uploaders);
    const second = await newPost(author);
    const outcomes: unknown[] = [];
    let spent = 0;
    for (const id of [postId, postId, postId, second.id, second.id]) {
      const { outcome, done } = await upload(id, author, 64);
      spent += done;
      outcomes.push(outcome);
    }
    expect(outcomes.at(0)).toEqual([201]);
    expect(outcomes.at(-1)).toEqual(REFUSED);
    expect(spent).toBeLessThanOrEqual(16);
    expect((await upload(other.postId, other.author, 64)).outcome).toEqual([201]);
    expect(await read<Switches>('/api/admin/switches', admin)).toEqual(ALL_ON);
  });

  test('an upload of a broken picture uses up none of the day’s image processing budget if no processing took place', async () => {
    captureLogs();
    const [{ postId, author }] = ofFour((await startDay()).uploaders);
    for (let index = 0; index < 6; index++) {
      const { outcome, done } = await upload(postId, author, 20, picture('grey.jpg').slice(0, 90));
      expect([...outcome, done]).toEqual([422, 'photo_broken', 0]);
    }
    expect((await upload(postId, author, 20)).outcome).toEqual([201]);
  });
});
