import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { IDEMPOTENCY_KEY_MAX_CHARS } from '#contract/limits.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { answerError } from '#worker/http/answer-error.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { readBody } from '#worker/http/read-body.ts';
import { withRequestId } from '#worker/http/request-id.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { call, newPerson, ORIGIN, somePost } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { refusal } from './support/claims.ts';

const LOCAL_ONLY = ['/api/dev/whatsapp-messages', '/api/dev/emails', '/dev/reading'];

test('every answer forbids what an answer of data needs not', async () => {
  const { headers } = await call('GET', '/api/health');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('Permissions-Policy')).toBe('camera=(self), microphone=(), geolocation=(), payment=()');
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
});

test('a page with a policy of its own keeps it, and a socket’s answer is left as it is', async () => {
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

test('a refusal for want of a token says that a token is wanted, and no other does', async () => {
  const wanted = await call('GET', '/api/me');
  expect([wanted.status, wanted.headers.get('WWW-Authenticate'), wanted.headers.get('Retry-After')]).toEqual([
    401,
    'Bearer',
    null,
  ]);
  expect((await call('GET', '/api/nothing')).headers.get('WWW-Authenticate')).toBeNull();
});

test('a token is read in whatever way a client writes it, and anything else is refused', async () => {
  const { token } = await newPerson();
  const ask = async (authorization: string) =>
    (await call('GET', '/api/posts', undefined, { headers: { Authorization: authorization } })).status;
  for (const written of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`])
    expect([written, await ask(written)]).toEqual([written, 200]);
  for (const written of [token, `Basic ${token}`, 'Bearer', `Bearer ${token} ${token}`, `x Bearer ${token}`])
    expect([written, await ask(written)]).toEqual([written, 401]);
});

test('an expired token does not stop who leaves feedback', async () => {
  const body = { email: 'asha@example.com', message: 'Asante' };
  expect((await call('POST', '/api/feedback', body, { token: 'expired' })).status).toBe(201);
});

test.each(LOCAL_ONLY)('%s exists beside the local transport alone', async (path) => {
  const deployed = { ...env, WHATSAPP_TRANSPORT: 'cloud-api', WHATSAPP_PHONE_NUMBER_ID: '1' };
  const ask = async (bindings: object) =>
    (await app.request(`${ORIGIN}${path}`, {}, bindings as Env, createExecutionContext())).status;
  expect(await ask(env)).toBe(200);
  expect(await ask({ ...deployed, WHATSAPP_ACCESS_TOKEN: 'x' })).toBe(404);
});

test('a key is as long as it may be, and no longer; blanks around it and an empty one are none', async () => {
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

test('a body may be exactly as large as the limit, whether it says its length or not', async () => {
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

test('a busy database is in the log by its route, and a missing secret by its name', async () => {
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
