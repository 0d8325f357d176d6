import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { IDEMPOTENCY_KEY_MAX_CHARS } from '#contract/limits.ts';
import { call, newPerson, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { refusal } from '#tests/worker/support/claims.ts';
import { newCommunity, newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { lostAndFound, newPeople } from '#tests/worker/support/notices.ts';
import { noticesAbout, postAndMatch } from '#tests/worker/support/posts.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { answerError } from '#worker/http/answer-error.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { securityHeaders, withRequestId } from '#worker/http/middleware.ts';
import { readBody } from '#worker/http/validate.ts';

const LOCAL_ONLY = ['/api/dev/whatsapp-messages', '/api/dev/emails', '/dev/reading'];

test('every response has headers that forbid unneeded browser features', async () => {
  const { headers } = await call('GET', '/api/posts');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('Permissions-Policy')).toBe('camera=(self), microphone=(), geolocation=(), payment=()');
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
});

test('a page with its own security policy keeps this policy, and a WebSocket’s response stays unchanged', async () => {
  const routes = new Hono<AppEnv>()
    .use(withRequestId)
    .use(securityHeaders)
    .get('/page', (c) => c.text('', 200, { 'Content-Security-Policy': "default-src 'self'" }))
    .get('/socket', () => {
      const [client] = Object.values(new WebSocketPair());
      return new Response(null, { status: 101, webSocket: client ?? null });
    });
  const page = await routes.request('/page');
  expect(page.headers.get('Content-Security-Policy')).toBe("default-src 'self'");
  expect(page.headers.get('X-Frame-Options')).toBeNull();
  const socket = await routes.request('/socket');
  expect([socket.status, [...socket.headers.keys()]]).toEqual([101, []]);
});

test('the 401 response to a request without a token has the header WWW-Authenticate, and a 404 response does not', async () => {
  const wanted = await call('GET', '/api/me');
  expect([wanted.status, wanted.headers.get('WWW-Authenticate'), wanted.headers.get('Retry-After')]).toEqual([
    401,
    'Bearer',
    null,
  ]);
  expect((await call('GET', '/api/nothing')).headers.get('WWW-Authenticate')).toBeNull();
});

test('a token is read in any valid notation of the Authorization header, and an invalid notation is refused', async () => {
  const { token } = await newPerson();
  const ask = async (authorization: string) =>
    (await call('GET', '/api/posts', undefined, { headers: { Authorization: authorization } })).status;
  for (const written of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`])
    expect([written, await ask(written)]).toEqual([written, 200]);
  for (const written of [token, `Basic ${token}`, 'Bearer', `Bearer ${token} ${token}`, `x Bearer ${token}`])
    expect([written, await ask(written)]).toEqual([written, 401]);
});

test('feedback is accepted even if the request contains an expired token', async () => {
  const body = { email: 'asha@example.com', message: 'Asante' };
  expect((await call('POST', '/api/feedback', body, { token: 'expired' })).status).toBe(201);
});

test.each(LOCAL_ONLY)('the route %s exists only if WHATSAPP_TRANSPORT is “local”', async (path) => {
  const deployed = { ...env, WHATSAPP_TRANSPORT: 'cloud-api', WHATSAPP_PHONE_NUMBER_ID: '1' };
  const ask = async (bindings: object) =>
    (await app.request(`${ORIGIN}${path}`, {}, bindings as Env, createExecutionContext())).status;
  expect(await ask(env)).toBe(200);
  expect(await ask({ ...deployed, WHATSAPP_ACCESS_TOKEN: 'x' })).toBe(404);
});

test('an idempotency key has a maximum length and is trimmed, and an empty key counts as absent', async () => {
  const person = await newPerson();
  const post = (key: string) =>
    call('POST', '/api/posts', somePost, { ...person, headers: { 'Idempotency-Key': key } });
  const longest = 'k'.repeat(IDEMPOTENCY_KEY_MAX_CHARS);
  const ids = [];
  for (const key of [longest, ` ${longest} `, '', ' ']) {
    const answer = await post(key);
    expect(answer.status).toBe(201);
    ids.push((await answer.json<{ id: string }>()).id);
  }
  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(3);
  expect(await refusal(post(`${longest}k`))).toEqual([400, 'malformed_request']);
});

test('a request body may be exactly as large as the limit, with or without Content-Length', async () => {
  const routes = new Hono<AppEnv>().use(readBody(4)).post('/', async (c) => c.text(await c.req.text()));
  routes.onError((error, c) => answerError(error, c));
  const send = async (text: string, headers: Record<string, string>) => {
    const body = new ReadableStream({
      start(controller) {
        for (const letter of text) controller.enqueue(new TextEncoder().encode(letter));
        controller.close();
      },
    });
    const answer = await routes.request(new Request(ORIGIN, { method: 'POST', headers, body }));
    return [answer.status, answer.ok ? await answer.text() : ''];
  };
  expect(await send('abcd', {})).toEqual([200, 'abcd']);
  expect(await send('abcde', {})).toEqual([413, '']);
  expect(await send('abcd', { 'Content-Length': '4' })).toEqual([200, 'abcd']);
  expect(await send('a', { 'Content-Length': '5' })).toEqual([413, '']);
});

test('the log line of an overloaded database contains the route, and the log line of a missing secret contains the secret’s name', async () => {
  const logs = captureLogs();
  const fail = () => {
    throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.');
  };
  const ask = async (bindings: object) => {
    const answer = await app.request(`${ORIGIN}/api/posts`, {}, { ...env, ...bindings }, createExecutionContext());
    return [answer.status, answer.headers.get('X-Request-Id')];
  };
  const [status, request_id] = await ask({ DB: { withSession: () => ({ prepare: fail, batch: fail }) } });
  expect(status).toBe(503);
  const line = { event: 'unavailable', request_id, method: 'GET', route: '/api/posts' };
  expect(logs.warn.mock.calls).toEqual([[line]]);
  const [, second] = await ask({ LIMIT_KEY: undefined });
  const reason = expect.stringContaining('LIMIT_KEY');
  expect(logs.error.mock.calls).toEqual([[{ event: 'not_configured', request_id: second, reason }]]);
  vi.unstubAllGlobals();
});

describe('the audit log', () => {
  let logs: ReturnType<typeof captureLogs>;

  beforeEach(() => {
    logs = captureLogs();
  });
  afterEach(() => vi.unstubAllGlobals());

  const acted = () => logs.log.mock.calls.map(([line]) => line).filter(({ event }) => event === 'acted');

  test.each([
    'POST /api/users',
    'POST /api/auth/request-password-reset',
    'POST /api/auth/verify-code',
    'POST /api/auth/reset-password',
    'POST /api/auth/confirm-email',
    'POST /api/me/password',
    'POST /api/me/sign-out-everywhere',
    'DELETE /api/me/devices/:id',
    'POST /api/me/whatsapp-number/confirm',
    'POST /api/me/email',
    'POST /api/me/export',
    'DELETE /api/me',
    'POST /api/me/passkeys',
    'DELETE /api/me/passkeys/:id',
    'GET /api/admin/week',
    'PUT /api/admin/switches',
  ])('records the result of every request to %s, even from a caller without an account', async (name) => {
    const [method = '', route = ''] = name.split(' ');
    const answer = await call(method, route.replace(':id', 'x'));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const request_id = answer.headers.get('X-Request-Id');
    expect(acted()).toEqual([{ event: 'acted', request_id, method, route, status: answer.status, user_id: null }]);
  });

  test('records neither ordinary GET requests nor ordinary changes such as new posts', async () => {
    const person = await newPerson();
    await call('GET', '/api/me', undefined, person);
    await call('GET', '/api/me/devices', undefined, person);
    await call('POST', '/api/posts', {}, person);
    await call('DELETE', '/api/posts/x', undefined, person);
    await call('PATCH', '/api/me', { language: 'sw' }, person);
    expect(acted()).toEqual([]);
  });
});

/** Simulates the built files, of which the Worker requests only the app's page (`/`). */
const ASSETS = { fetch: async ({ url }: Request) => new Response(`the page of ${new URL(url).pathname}`) };

function open(path: string, init: RequestInit = {}): Promise<Response> {
  const bindings: object = { ASSETS };
  return Promise.resolve(
    app.fetch(new Request(ORIGIN + path, init), { ...env, ...bindings } as Env, createExecutionContext()),
  );
}

test.each([
  ['a browser that opens the URL', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }],
  ['a client that sends no Sec-Fetch header', {}],
])('a URL of the app returns the app’s HTML page to this client: %s', async (_who, headers) => {
  const answer = await open('/my-posts', { headers });
  expect([answer.status, await answer.text()]).toEqual([200, 'the page of /']);
});

test.each([
  ['an app address requested as a script', '/my-posts', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
  ['a file that a deployment has replaced', '/assets/main-old.js', { 'Sec-Fetch-Mode': 'navigate' }],
])('%s gets 404, never the app’s HTML page', async (_what, path, headers) => {
  const answer = await open(path, { headers });
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('the page');
});

test('the URL of an app screen, such as /my-posts, accepts only GET and HEAD requests', async () => {
  const answer = await open('/my-posts', { method: 'POST' });
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

describe('work after the response', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Calls the app with a database that fails as soon as the app has called `waitUntil` for work after the response. */
  async function askAndBreak(method: string, path: string, { token }: Pick<Person, 'token'>) {
    const left: Promise<unknown>[] = [];
    const database = passCalls(env.DB, async (ask) => {
      if (left.length > 0) throw new Error('D1_ERROR: what was bound: 0712345678');
      return ask();
    });
    const context = { waitUntil: (work: Promise<unknown>) => left.push(work), passThroughOnException() {}, props: {} };
    const request = new Request(`${ORIGIN}${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
    const logs = captureLogs();
    const answer = await app.fetch(request, { ...env, DB: database }, context as never);
    return { answer, work: await Promise.allSettled(left), logs: logs.error.mock.calls.flat() };
  }

  /**
   * Creates an owner with a match notice, and marks the notice as not delivered, so that the app must deliver it to the
   * owner's mailbox again.
   */
  async function tellOwner() {
    const [owner, finder] = await newPeople(2);
    if (!owner || !finder) throw new Error('nobody');
    const { lost, found } = lostAndFound();
    await postAndMatch(owner, lost);
    const postId = await postAndMatch(finder, found);
    const [notice] = await noticesAbout(postId);
    await env.DB.prepare('update notices set delivered_at = null where post_id = ?').bind(postId).run();
    return { owner, finder, postId, noticeId: notice?.id ?? '' };
  }

  test.each([
    [
      'DELETE',
      'the deletion of a post',
      async () => {
        const { finder, postId } = await tellOwner();
        return { person: finder, path: `/api/posts/${postId}`, status: 204 };
      },
    ],
    [
      'PATCH',
      'marking a post as returned',
      async () => {
        const { finder, postId } = await tellOwner();
        return { person: finder, path: `/api/posts/${postId}/found`, status: 200 };
      },
    ],
    [
      'POST',
      'a socket ticket',
      async () => ({ person: (await tellOwner()).owner, path: '/api/realtime/ticket', status: 200 }),
    ],
    [
      'POST',
      'the dismissal of a notice',
      async () => {
        const { owner, noticeId } = await tellOwner();
        return { person: owner, path: `/api/notices/${noticeId}/dismiss`, status: 204 };
      },
    ],
    [
      'POST',
      'the approval of a community',
      async () => {
        const { id } = await newCommunity(await newPerson());
        return { person: await newPlatformAdmin(), path: `/api/admin/communities/${id}/approve`, status: 200 };
      },
    ],
  ])(
    'is logged if it fails, and the client still gets the normal response: %s request for %s',
    async (method, _what, prepare) => {
      const { person, path, status } = await prepare();
      // The first request in an hour also updates `last_seen_at` after the response. This update would fail too, so
      // another request comes before the tested one.
      await call('GET', '/api/me', undefined, { token: person.token });
      const { answer, work, logs } = await askAndBreak(method, path, person);
      expect(answer.status).toBe(status);
      expect(work).toEqual([{ status: 'fulfilled', value: undefined }]);
      const requestId = answer.headers.get('X-Request-Id');
      expect(logs).toEqual([expect.objectContaining({ event: 'unexpected_error', request_id: requestId, method })]);
      expect(JSON.stringify(logs)).not.toContain('0712345678');
    },
  );
});
