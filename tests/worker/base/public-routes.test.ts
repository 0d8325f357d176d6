import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { ValidationTargets } from 'hono';
import type { ExtractSchema } from 'hono/types';
import type { InferInput } from 'hono/validator';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import type { Health } from '#contract/admin.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import { type AnswerOf, ENDPOINTS, type EndpointName } from '#contract/endpoints.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { call, ORIGIN } from '#tests/worker/support/api.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { readHeartbeat, sendHeartbeat } from '#worker/health/heartbeat.ts';
import { checkHealth } from '#worker/health/routes.ts';
import worker from '#worker/index.ts';

describe('the health check', () => {
  /** Each test uses its own time, because a response is cached for ten seconds. */
  let now = Date.now();

  beforeEach(() => {
    now += 10 * MINUTE_MS;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function setHeartbeat(beatAt: number): Promise<void> {
    await env.DB.prepare('update heartbeats set beat_at = ?').bind(beatAt).run();
  }

  function broken(name: 'DB' | 'PHOTOS'): Env {
    const refuse = () => {
      throw new Error('no answer');
    };
    return { ...env, [name]: { withSession: refuse, head: refuse } } as unknown as Env;
  }

  test('reports ok to anybody if database, storage and queue work', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    await setHeartbeat(now);
    const answer = await call('GET', '/api/health');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { status, checks, version } = await answer.json<Health>();
    expect({ status, checks }).toEqual({ status: 'ok', checks: { database: 'ok', storage: 'ok', queue: 'ok' } });
    expect(version).toBeTruthy();
  });

  test('reports the queue as failing five minutes after its heartbeat was due, and not before', async () => {
    await setHeartbeat(now - 6 * MINUTE_MS + 1);
    expect((await checkHealth(env, now)).checks.queue).toBe('ok');
    await setHeartbeat(now - 6 * MINUTE_MS);
    const late = await checkHealth(env, now + MINUTE_MS);
    expect(late).toMatchObject({ status: 'degraded', checks: { database: 'ok', storage: 'ok', queue: 'failing' } });
  });

  test('reports the version of a deployed Worker', async () => {
    const deployed = { ...env, VERSION: { id: 'a-deployed-version', tag: '', timestamp: '' } };
    expect((await checkHealth(deployed, now)).version).toBe('a-deployed-version');
  });

  test('is cached for ten seconds', async () => {
    await setHeartbeat(now);
    expect((await checkHealth(env, now)).status).toBe('ok');
    await setHeartbeat(0);
    expect((await checkHealth(env, now + 9_999)).status).toBe('ok');
    expect((await checkHealth(env, now + 10_000)).status).toBe('degraded');
  });

  test('reports the database as failing if it does not respond, and the storage bucket likewise', async () => {
    await setHeartbeat(now);
    expect((await checkHealth(broken('DB'), now)).checks).toMatchObject({ database: 'failing', storage: 'ok' });
    const later = await checkHealth(broken('PHOTOS'), now + MINUTE_MS);
    expect(later).toMatchObject({
      status: 'degraded',
      checks: { database: 'ok', storage: 'failing', queue: 'ok' },
    });
    expect((await checkHealth(env, now + 2 * MINUTE_MS)).status).toBe('ok');
  });

  test('counts a check that takes more than three seconds as failing, and responds without waiting for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const never = { ...env, PHOTOS: { head: () => new Promise(() => {}) } } as unknown as Env;
    await setHeartbeat(now);
    const settled = vi.fn();
    const asked = checkHealth(never, now).then(settled);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await asked;
    expect(settled.mock.calls).toMatchObject([[{ status: 'degraded', checks: { storage: 'failing' } }]]);
  });

  test('answers 503 with the result of each check if one check fails', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    await setHeartbeat(now - 6 * MINUTE_MS);
    const bindings: object = { ...env, VERSION: undefined };
    const answer = await app.request(`${ORIGIN}/api/health`, {}, bindings as Env, createExecutionContext());
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'degraded', version: 'local', checks: { database: 'ok', storage: 'ok', queue: 'failing' } },
    ]);
  });

  test('reports the queue as failing if the database has no heartbeat of the queue', async () => {
    const row = await env.DB.prepare('select name from heartbeats').first<{ name: string }>();
    await env.DB.prepare('delete from heartbeats').run();
    expect((await checkHealth(env, now)).checks).toMatchObject({ database: 'ok', queue: 'failing' });
    await env.DB.prepare('insert into heartbeats (name, beat_at) values (?, 0)').bind(row?.name).run();
  });

  test('reports the queue as ok after the queue has delivered a heartbeat', async () => {
    await setHeartbeat(0);
    const send = vi.fn();
    await sendHeartbeat({ WHATSAPP_QUEUE: { send } as unknown as Env['WHATSAPP_QUEUE'] });
    expect(send.mock.calls).toEqual([[{ kind: 'heartbeat' }, { contentType: 'json' }]]);
    const message = { id: '1', timestamp: new Date(), attempts: 1, body: { kind: 'heartbeat' as const } };
    const batch = createMessageBatch('patikana-whatsapp', [message]);
    const ctx = createExecutionContext();
    await worker.queue(batch, env);
    expect((await getQueueResult(batch, ctx)).explicitAcks).toEqual(['1']);
    expect(Date.now() - (await readHeartbeat(openDb(env)))).toBeLessThan(MINUTE_MS);
  });
});

/** Routes defined by Meta and by mail programs, not by our contract. */
const UNDESCRIBED = new Set([
  'GET /whatsapp/webhook',
  'POST /whatsapp/webhook',
  'GET /email/unsubscribe/:value',
  'POST /email/unsubscribe/:value',
]);

type Routes = ExtractSchema<typeof app>;
type RouteOf<Name extends EndpointName> = Name extends `${infer Method} ${infer Path}`
  ? Routes extends Record<`/api${Path}`, Record<`$${Lowercase<Method>}`, infer Route>>
    ? Route
    : 'no such route'
  : never;
/** The endpoints whose route has another response type than the contract declares, each with the type of its route. */
type WrongAnswers = {
  [Name in EndpointName as RouteOf<Name> extends { output: AnswerOf<Name> } ? never : Name]: RouteOf<Name>;
};

/** Routes with an optional body, which they parse without the validator (worker/moderation/routes.ts). */
type ReadByHand = `POST ${string}/restore` | `POST ${string}/reinstate`;
type Target<Name extends EndpointName, Key> = Key extends 'query'
  ? 'query'
  : (typeof ENDPOINTS)[Name] extends { isForm: true }
    ? 'form'
    : 'json';
type Documented<Name extends EndpointName, Key extends string> =
  (typeof ENDPOINTS)[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? z.input<Schema> : never;
/** The type that Hono's client sends for a schema's input. In a query or form, every value is a string. */
type Sent<Input, To extends keyof ValidationTargets> = [Input] extends [ValidationTargets[To]]
  ? Input
  : InferInput<Input, To>;
type Validated<Name extends EndpointName, To extends string> =
  RouteOf<Name> extends { input: Record<To, infer Part> } ? Part : never;
/** Unlike `extends`, this detects an optional field that only one of the two types has. */
type IsSame<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
type IsAsDocumented<Name extends EndpointName, Key extends 'body' | 'query'> = IsSame<
  Validated<Name, Target<Name, Key>>,
  Sent<Documented<Name, Key>, Target<Name, Key>>
>;
/**
 * The endpoints whose route validates another type of body or query than the contract declares, each with the type of
 * its route.
 */
type WrongInputs = {
  [Name in Exclude<EndpointName, ReadByHand> as [IsAsDocumented<Name, 'body'>, IsAsDocumented<Name, 'query'>] extends [
    true,
    true,
  ]
    ? never
    : Name]: RouteOf<Name>;
};

type Operation = { requestBody?: object; parameters?: { name: string }[]; responses: Record<string, object> };
type Description = { openapi: string; paths: Record<string, Record<string, Operation>> };

async function readDescription(): Promise<Description> {
  return (await call('GET', '/api/openapi.json')).json<Description>();
}

test('the OpenAPI description contains exactly the existing routes', () => {
  const own = app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'));
  const routes = own.map(({ method, path }) => `${method} ${path.slice('/api'.length)}`);
  const named = [...new Set(routes)]
    .map((route) => route.replace(/\/$/, ''))
    .filter((route) => !UNDESCRIBED.has(route));
  expect(named.sort()).toEqual(Object.keys(ENDPOINTS).sort());
});

test('the OpenAPI description follows OpenAPI 3.1 and contains every endpoint', async () => {
  const { openapi, paths } = await readDescription();
  expect(openapi).toBe('3.1.0');
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(Object.keys(ENDPOINTS).length);
});

test('unless WHATSAPP_TRANSPORT is “local”, the OpenAPI description lists no /dev route', async () => {
  const deployed = { ...env, WHATSAPP_TRANSPORT: 'cloud-api' };
  const answer = await app.fetch(new Request(`${ORIGIN}/api/openapi.json`), deployed, createExecutionContext());
  const { paths } = await answer.json<Description>();
  const isDev = (path: string) => path.startsWith('/dev/');
  const { paths: local } = await readDescription();
  expect(Object.keys(local).filter(isDev).length).toBeGreaterThan(0);
  expect(Object.keys(paths)).toEqual(Object.keys(local).filter((path) => !isDev(path)));
});

test('the OpenAPI description contains the fields of bodies and queries', async () => {
  const { paths } = await readDescription();
  expect(JSON.stringify(paths['/posts']?.post?.requestBody)).toContain('"phone_number"');
  expect(paths['/posts']?.get?.parameters?.map(({ name }) => name).sort()).toEqual([
    'community_code',
    'cursor',
    'exact',
    'kind',
    'limit',
    'open',
    'place',
    'posted_by',
    'search',
    'since',
  ]);
  expect(paths['/posts/{id}']?.get?.parameters?.map(({ name }) => name)).toEqual(['id']);
  expect(Object.keys(paths['/posts/{id}']?.delete?.responses ?? {})).toEqual(['204', 'default']);
});

test('every route’s response type is the one declared in the contract', () => {
  expect({} satisfies WrongAnswers).toEqual({});
});

test('every route validates its body and query by the contract’s schemas', () => {
  expect({} satisfies WrongInputs).toEqual({});
});

/** The routes that need no token. Add a new public route here; every other route requires a token. */
const PUBLIC = new Set([
  'GET /api/openapi.json',
  'GET /api/health',
  'POST /api/users',
  'POST /api/login',
  'GET /api/posts',
  'GET /api/posts/:id',
  'POST /api/feedback',
  'POST /api/client-errors',
  'POST /api/auth/request-password-reset',
  'POST /api/auth/verify-code',
  'POST /api/auth/reset-password',
  // A person who proves a phone number may have no account yet.
  'POST /api/auth/number-proofs',
  'GET /api/auth/number-proofs/:id',
  'POST /api/auth/prove-number',
  // The user may open the e-mail's link on a device where they are not signed in.
  'POST /api/auth/confirm-email',
  // Authenticated by the value in the e-mail's link.
  'GET /api/email/unsubscribe/:value',
  'POST /api/email/unsubscribe/:value',
  // The key for push subscriptions is public.
  'GET /api/push/key',
  // Routes that exist only on a developer's machine (`WHATSAPP_TRANSPORT` is `local`).
  'GET /api/dev/whatsapp-messages',
  'POST /api/dev/whatsapp-incoming',
  'GET /api/dev/emails',
  // Meta's webhook, which is authenticated by a signature.
  'GET /api/whatsapp/webhook',
  'POST /api/whatsapp/webhook',
]);

function routes(): string[] {
  const own = app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api'));
  return [...new Set(own.map(({ method, path }) => `${method} ${path}`))];
}

test('every route except the public ones refuses a visitor, whatever the request contains', async () => {
  const closed = routes().filter((route) => !PUBLIC.has(route));
  expect(closed.length).toBeGreaterThan(15);
  for (const route of closed) {
    const [method, path] = route.split(' ') as [string, string];
    for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : [undefined, {}, '{']) {
      const answer = await call(method, path.replace(/:\w+(\{[^}]*\})?/g, 'x'), body);
      const { code } = await answer.json<ErrorBody>();
      expect([route, answer.status, code]).toEqual([route, 401, 'unauthorized']);
    }
  }
});

test('the list of public routes contains only existing routes', () => {
  const known = new Set(routes());
  expect([...PUBLIC].filter((route) => !known.has(route))).toEqual([]);
});
