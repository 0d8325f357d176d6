import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  type Caller,
  call,
  newPerson,
  newPost,
  ORIGIN,
  type Person,
  PlatformCache,
  readRoutes,
  somePost,
} from '#tests/worker/support/api.ts';
import {
  communityCodeOf,
  newApprovedCommunity,
  newPlatformAdmin,
  showPasskey,
} from '#tests/worker/support/communities.ts';
import { newReporter, report } from '#tests/worker/support/moderation.ts';
import { insertPosts, newPostWithPhoto } from '#tests/worker/support/posts.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { keepAtEdge, keepNothingElse } from '#worker/http/edge-cache.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const visitor: Caller = {};
let author: Person;
let stranger: Person;
let postId: string;
let photoPath: string;
beforeAll(async () => {
  [author, stranger] = [await newPerson(), await newPerson()];
  const { post, photo } = await newPostWithPhoto(author, { title: 'Mkoba wa kijani' });
  [postId, photoPath] = [post.id, photo.url];
});

/** The paths whose responses all visitors share, each with the cache policy that the Worker sends to Cloudflare. */
function shared(): Record<string, string> {
  return {
    '/api/posts': 'public, max-age=15, must-revalidate',
    '/api/posts?search=kijani&limit=5': 'public, max-age=15, must-revalidate',
    [`/p/${postId}?lang=sw`]: 'public, max-age=60, must-revalidate',
    [`/p/${postId}`]: 'public, max-age=60, must-revalidate',
    '/p/nothing': 'public, max-age=60, must-revalidate',
    [photoPath]: 'public, max-age=60, must-revalidate',
  };
}

/** Every path that a viewer can request with GET. */
function addresses(): string[] {
  return [...readRoutes(postId), ...Object.keys(shared()), '/photos/nothing', '/dev/reading', '/ws/x', '/nothing.js'];
}

/** Returns the Worker's response if nothing is cached. Omits the parts of a response that differ every time. */
async function readDirectly(path: string, caller: Caller): Promise<[number, string]> {
  const { answer } = await new PlatformCache().ask(path, caller);
  return seen(answer);
}

async function seen(answer: Response): Promise<[number, string]> {
  return [answer.status, (await answer.text()).replace(/"request_id":"[^"]*"/, '')];
}

test('the edge cache serves signed-in users only post pages and photos, and serves nobody a response made for a signed-in user', async () => {
  for (const path of addresses()) {
    for (const order of [
      [visitor, author, stranger],
      [author, visitor, stranger],
      [stranger, author, visitor],
    ]) {
      const cache = new PlatformCache();
      for (const caller of order) {
        const { answer, isHit } = await cache.ask(path, caller);
        // Post pages (/p/) and photos are the same for everybody, so the cache may serve them even if the request has a
        // token.
        if (caller !== visitor && !/^\/(p|photos)\//.test(path)) expect([path, isHit]).toEqual([path, false]);
        if (path.startsWith('/api/posts')) expect(await seen(answer), path).toEqual(await readDirectly(path, caller));
      }
    }
  }
});

test('the edge cache answers a visitor’s second request for a list of posts, a search, a post’s page or a photo', async () => {
  for (const path of Object.keys(shared())) {
    const cache = new PlatformCache();
    expect([path, (await cache.ask(path)).isHit, (await cache.ask(path)).isHit]).toEqual([path, false, true]);
  }
});

test('a post’s page is cached separately for each language', async () => {
  const cache = new PlatformCache();
  const languageAt = async (query: string, language: string) => {
    const { answer } = await cache.ask(`/p/${postId}${query}`, { headers: { 'Accept-Language': language } });
    return /<html lang="(\w+)"/.exec(await answer.text())?.[1];
  };
  for (const language of ['en', 'sw', 'en', 'sw']) {
    expect(await languageAt('', language)).toBe(language);
    expect(await languageAt('?lang=sw', language)).toBe('sw');
  }
});

test('the edge cache stores only public lists, searches, post pages and photos, and these only for requests without a token', async () => {
  const callers: Caller[] = [{}, author, { token: 'spoilt' }, { headers: { Cookie: 'device=1' } }];
  for (const path of addresses()) {
    for (const { token, headers } of callers) {
      const answer = await call('GET', path, undefined, { ...(token && { token }), ...(headers && { headers }) });
      const kept = token === undefined ? shared()[path] : undefined;
      expect([path, token, answer.headers.get('Cloudflare-CDN-Cache-Control')]).toEqual([
        path,
        token,
        kept ?? 'no-store',
      ]);
      expect([path, answer.headers.has('Cache-Tag')]).toEqual([path, kept !== undefined && path !== '/p/nothing']);
      const mayKeep = kept !== undefined || /^\/(p|photos)\//.test(path);
      if (!mayKeep) expect([path, answer.headers.get('Cache-Control')]).toEqual([path, 'no-store']);
    }
  }
});

test('the response to a write is not cached', async () => {
  for (const { method, path } of app.routes.filter((route) => !['ALL', 'GET'].includes(route.method))) {
    const { headers } = await call(method, path.replace(/:\w+(\{[^}]*\})?/g, postId), {});
    expect([path, headers.get('Cloudflare-CDN-Cache-Control')]).toEqual([path, 'no-store']);
    expect([path, headers.get('Cache-Control')]).toEqual([path, 'no-store']);
  }
});

test.each([
  ['a response with a cookie', {}, 200, { 'Set-Cookie': 'a=b' }],
  ['a response to a request with a token', { Authorization: 'Bearer x' }, 200, {}],
  ['a response with status 500', {}, 500, {}],
  ['a response with status 429', {}, 429, {}],
] as const)('keepAtEdge does not make %s cacheable', async (_what, asked, status, answered) => {
  const careless = new Hono<AppEnv>().use(keepNothingElse).get('/', (c) => {
    keepAtEdge(c, 15, { postIds: ['x'] });
    return c.text('', status, answered);
  });
  const { headers } = await careless.request('/', { headers: asked });
  expect([headers.get('Cloudflare-CDN-Cache-Control'), headers.get('Cache-Tag')]).toEqual(['no-store', null]);
});

test('a cached list, post page or photo is tagged with the ids of its posts, so that changing a post can purge the response', async () => {
  const list = await call('GET', '/api/posts?limit=2');
  const ids = (await list.json<{ Post: { id: string } }[]>()).map(({ Post }) => Post.id);
  expect(list.headers.get('Cache-Tag')).toBe(ids.map((id) => `post-${id}`).join(','));
  for (const path of [`/p/${postId}`, photoPath])
    expect([path, (await call('GET', path)).headers.get('Cache-Tag')]).toEqual([path, `post-${postId}`]);
  // An id that the client has made up does not become a cache tag.
  expect((await call('GET', `/p/x,post-${postId}`)).headers.has('Cache-Tag')).toBe(false);
});

test('a visitor’s unchanged cached response is revalidated with 304; a request with a token gets the full response', async () => {
  for (const path of ['/api/posts', `/p/${postId}?lang=sw`]) {
    const first = await call('GET', path);
    const headers = { 'If-None-Match': String(first.headers.get('ETag')) };
    const again = await call('GET', path, undefined, { headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
    for (const name of ['ETag', 'Cache-Control', 'Cloudflare-CDN-Cache-Control', 'Cache-Tag', 'Vary'])
      expect([path, name, again.headers.get(name)]).toEqual([path, name, first.headers.get(name)]);
    // Browsers apply the Content-Security-Policy of a 304 response to the cached page.
    expect(again.headers.get('Content-Security-Policy')).toBe(first.headers.get('Content-Security-Policy'));
  }
  const headers = { 'If-None-Match': String((await call('GET', '/api/posts')).headers.get('ETag')) };
  expect((await call('GET', '/api/posts', undefined, { ...author, headers })).status).toBe(200);
  await newPost(author);
  expect((await call('GET', '/api/posts', undefined, { headers })).status).toBe(200);
});

/** Calls the Worker like `call`. The Worker purges Cloudflare's cache by calling `purge`. */
async function callAtEdge(
  purge: CacheContext['purge'],
  method: string,
  path: string,
  body: unknown,
  { token }: Person,
) {
  const ctx = Object.assign(createExecutionContext(), { cache: { purge } });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers,
    ...(body !== null && { body: JSON.stringify(body) }),
  });
  const answer = await app.fetch(request, env as Env, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}

type Step = [method: string, path: string, body: unknown, by: Person];

const TAKEN_DOWN: Record<string, (id: string) => Promise<Step>> = {
  deleted: async (id) => ['DELETE', `/api/posts/${id}`, null, author],
  closed: async (id) => ['PUT', `/api/posts/${id}/outcome`, { outcome: 'given_up' }, author],
  async moved(id) {
    const { community, creator } = await newApprovedCommunity();
    await call('POST', '/api/communities/join', { access_code: community.access_code }, author);
    const community_code = await communityCodeOf(community.id, creator);
    return ['PUT', `/api/posts/${id}`, { ...somePost, community_code }, author];
  },
  hidden: async (id) => ['POST', `/api/admin/posts/${id}/hide`, { reason: 'Utapeli' }, await actingAdmin()],
  async 'reported often enough'(id) {
    for (const reporter of [await newReporter(), await newReporter()]) await report(id, reporter);
    return ['POST', `/api/posts/${id}/reports`, { reason: 'scam' }, await newReporter()];
  },
  async 'hidden again, as its restoration was undone'(id) {
    await report(id, await newReporter());
    await env.DB.prepare('update posts set hidden_by = 1 where id = ?').bind(id).run();
    const admin = await actingAdmin();
    await call('POST', `/api/admin/posts/${id}/restore`, undefined, admin);
    return ['POST', `/api/admin/posts/${id}/undo`, null, admin];
  },
  'a suspended person’s': async () => [
    'POST',
    `/api/admin/users/${author.id}/suspend`,
    { reason: 'Utapeli' },
    await actingAdmin(),
  ],
};

async function actingAdmin(): Promise<Person> {
  const admin = await newPlatformAdmin();
  await showPasskey(admin);
  return admin;
}

test.each(Object.keys(TAKEN_DOWN))(
  'a post that is no longer public (%s) is purged from the edge cache in one request',
  async (how) => {
    author = await newPerson();
    const { id } = await newPost(author);
    const step = await TAKEN_DOWN[how]?.(id);
    if (!step) throw new Error('no step');
    const purge = vi.fn<CacheContext['purge']>(async () => ({ success: true, errors: [] }));
    const answer = await callAtEdge(purge, ...step);
    expect(answer.ok).toBe(true);
    expect(purge.mock.calls).toEqual([[{ tags: [`post-${id}`, 'newest-posts'] }]]);
  },
);

test('suspending an author purges their latest public posts from the edge cache, as many as fit into one purge request', async () => {
  author = await newPerson();
  await insertPosts(
    author.id,
    Array.from({ length: 100 }, (_, index) => `Mkoba ${index}`),
  );
  const { community, creator } = await newApprovedCommunity();
  await call('POST', '/api/communities/join', { access_code: community.access_code }, author);
  await newPost(author, { community_code: await communityCodeOf(community.id, creator) });
  const purge = vi.fn<CacheContext['purge']>(async () => ({ success: true, errors: [] }));
  const body = { reason: 'Utapeli' };
  await callAtEdge(purge, 'POST', `/api/admin/users/${author.id}/suspend`, body, await actingAdmin());
  const { results } = await env.DB.prepare(
    'select id from posts where author_id = ? and community_id is null order by seq desc limit 99',
  )
    .bind(author.id)
    .all();
  expect(purge.mock.calls).toEqual([[{ tags: [...results.map(({ id }) => `post-${id}`), 'newest-posts'] }]]);
});

test('a change that does not affect who may read a post purges nothing from the edge cache', async () => {
  author = await newPerson();
  const { id } = await newPost(author);
  const purge = vi.fn<CacheContext['purge']>();
  await callAtEdge(purge, 'PUT', `/api/posts/${id}`, { ...somePost, title: 'Mkoba mwekundu' }, author);
  await callAtEdge(purge, 'POST', `/api/posts/${id}/reports`, { reason: 'scam' }, await newReporter());
  await callAtEdge(purge, 'PATCH', `/api/posts/${id}/found`, null, author);
  expect(purge).not.toHaveBeenCalled();
});

test.each([
  ['is refused', async () => ({ success: false, errors: [{ code: 971, message: 'too many' }] }), 971],
  ['fails', () => Promise.reject(new Error('no such service')), null],
] as const)(
  'deleting a post succeeds and logs a warning if the purge of the edge cache %s',
  async (_how, purge, error_code) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    author = await newPerson();
    const { id } = await newPost(author);
    const answer = await callAtEdge(purge, 'DELETE', `/api/posts/${id}`, null, author);
    expect(answer.status).toBe(204);
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
      { event: 'posts_not_purged', error_code },
    ]);
  },
);
