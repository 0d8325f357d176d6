import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { CLIENT_ERROR_MAX_BYTES } from '#contract/limits.ts';
import { call, newPerson, newPost, ORIGIN, type Person, signIn, somePost } from '#tests/worker/support/api.ts';
import { newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { deliver, issueCode } from '#tests/worker/support/messages.ts';
import { channelOf, newPeople, someMessage } from '#tests/worker/support/notices.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { log, workFor } from '#worker/errors/log.ts';
import { LOG_EVENTS, LOG_FIELDS } from '#worker/errors/log-events.ts';
import { LIMITS } from '#worker/limits/limits.ts';
import { sweep } from '#worker/sweep.ts';

describe('log lines', () => {
  afterEach(() => vi.unstubAllGlobals());

  const ID = /^[\w-]{36}$/;

  test('contain their request’s id, also for concurrent requests and after the response', async () => {
    const logs = captureLogs();
    const late: Promise<void>[] = [];
    const work = async (name: string) => {
      await workFor({ request_id: name }, async () => {
        late.push(Promise.resolve().then(() => log.info('email_accepted', { id: name })));
        await new Promise((resolve) => setTimeout(resolve, 1));
        log.info('email_dropped', { id: name });
      });
    };
    const names = ['one', 'two', 'three'];
    await Promise.all(names.map(work));
    await Promise.all(late);
    // Work that an earlier test began may still log lines during this test.
    const lines = logs.log.mock.calls.map(([line]) => line).filter(({ id }) => names.includes(String(id)));
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line.request_id).toBe(line.id);
    log.warn('unavailable');
    expect(logs.warn.mock.calls).toContainEqual([{ event: 'unavailable' }]);
  });

  test('contain the request id that the response returns', async () => {
    const logs = captureLogs();
    const broken = { ...env, DB: { withSession: () => ({ prepare: fail, batch: fail }) } };
    const answer = await app.request(`${ORIGIN}/api/posts`, {}, broken, createExecutionContext());
    expect(answer.status).toBe(500);
    const request_id = answer.headers.get('X-Request-Id');
    const frames = expect.arrayContaining([expect.stringMatching(/^ +at /)]);
    expect(logs.error.mock.calls).toEqual([
      [{ event: 'unexpected_error', request_id, method: 'GET', route: '/api/posts', name: 'TypeError', frames }],
    ]);
  });

  test('contain the id of the queue job or cron run that writes them', async () => {
    const logs = captureLogs();
    const broken = { ...env, DB: { withSession: () => ({ prepare: fail, batch: fail }) } } as unknown as typeof env;
    await deliver(broken, { kind: 'heartbeat' });
    await deliver(broken, { kind: 'heartbeat' });
    await sweep(broken);
    const lines = logs.error.mock.calls.map(([line]) => line);
    const ids = (event: string) => new Set(lines.filter((line) => line.event === event).map((line) => line.job_id));
    expect(ids('whatsapp_consumer_failed').size).toBe(2);
    expect(ids('sweep_failed').size).toBe(1);
    for (const { job_id } of lines) expect(job_id).toMatch(ID);
    expect(JSON.stringify(lines)).not.toContain('0712345678');
  });

  test('about a mailbox object’s failure contain the object’s id and no text written by people', async () => {
    const [person] = await newPeople(1);
    if (!person) throw new Error('nobody');
    const logs = captureLogs();
    await runInDurableObject(channelOf(person), async (object, { storage }) => {
      for (const table of ['messages', 'ended_sessions', 'erasure', 'turns']) storage.sql.exec(`DROP TABLE ${table}`);
      const acknowledgement = JSON.stringify({ type: 'ack', id: '0712345678' });
      for (const fail of [
        () => object.deliver([someMessage({ id: '0712345678' })]),
        () => object.retract(['0712345678']),
        () => object.reconsider(),
        () => object.listWaiting(['0712345678']),
        () => object.endSessions([]),
        () => object.erase(),
        () => object.fetch(new Request('https://user-channel/?ticketId=0712345678')),
        () => object.webSocketMessage({} as WebSocket, acknowledgement),
        () => object.alarm(),
      ])
        await expect(fail()).rejects.toThrow();
    });
    const lines = logs.error.mock.calls.map(([line]) => line);
    const frames = expect.arrayContaining([expect.stringMatching(/^ +at /)]);
    const line = { event: 'object_failed', job_id: expect.stringMatching(ID), name: 'Error', frames };
    const events = [
      'deliver',
      'retract',
      'reconsider',
      'list_waiting',
      'end_sessions',
      'erase',
      'connect',
      'message',
      'alarm',
    ];
    expect(lines).toEqual(events.map((object_event) => ({ ...line, object_event })));
    expect(JSON.stringify(lines)).not.toContain('0712345678');
  });

  function fail(): never {
    throw new TypeError('no such number: 0712345678');
  }
});

describe('secrets in the log', () => {
  const NUMBER = '+255754918273';
  const EMAIL = 'siri.ya.asha@example.com';
  const TITLE = 'Begi lenye siri zote';
  const PASSWORD = 'neno la siri la Asha';
  const CODE = '918273';
  const MARKS = [NUMBER.slice(-6), EMAIL, TITLE, encodeURIComponent(TITLE), TITLE.replaceAll(' ', '+'), PASSWORD, CODE];

  let logs: ReturnType<typeof captureLogs>;

  beforeEach(() => {
    logs = captureLogs();
  });
  afterEach(() => vi.unstubAllGlobals());

  /** The logged lines without the printed WhatsApp messages, which no deployed Worker prints. */
  function lines(): Record<string, unknown>[] {
    return [logs.log, logs.warn, logs.error]
      .flatMap((logger) => logger.mock.calls.map(([line]) => line))
      .filter(({ event }) => event !== 'whatsapp_printed');
  }

  function expectNothingTold(): void {
    const all = lines().map((line) => JSON.stringify(line));
    for (const mark of MARKS) expect(all.filter((line) => line.includes(mark))).toEqual([]);
    const fields = new Set<string>(['event', 'request_id', 'job_id', ...LOG_FIELDS]);
    expect(lines().flatMap((line) => Object.keys(line).filter((field) => !fields.has(field)))).toEqual([]);
    const events = new Set<unknown>(Object.values(LOG_EVENTS).flat());
    expect(lines().filter(({ event }) => !events.has(event))).toEqual([]);
  }

  type Described = {
    type?: string;
    enum?: unknown[];
    const?: unknown;
    properties?: Record<string, Described>;
    items?: Described;
    anyOf?: Described[];
  };

  /** Returns a value that the schema accepts. Every free text in the value contains secret data, such as `TITLE`. */
  function fill(name: string, schema: Described): unknown {
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.anyOf) return fill(name, schema.anyOf[0] ?? {});
    if (schema.properties) return fillAll(schema);
    if (schema.type === 'array') return [fill(name, schema.items ?? {})];
    if (schema.type === 'boolean') return true;
    if (schema.type === 'number' || schema.type === 'integer') return 1;
    if (/number$/.test(name)) return NUMBER;
    if (/email/.test(name)) return EMAIL;
    if (/password/.test(name)) return PASSWORD;
    if (/code|identifier/.test(name)) return CODE;
    if (name === 'posted_by') return 'finder';
    return TITLE;
  }

  function fillAll({ properties = {} }: Described): Record<string, unknown> {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, fill(name, schema)]));
  }

  function describeInput(schema: z.ZodMiniType): Described {
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described;
  }

  /** Builds a request to the endpoint. Its free texts, including the URL's parameters, contain secret data. */
  function toRequest(name: string, { query, body, isForm }: Endpoint, token?: string): Request {
    const [method = '', route = ''] = name.split(' ');
    const url = new URL(`${ORIGIN}/api${route.replace(/:\w+/g, encodeURIComponent(TITLE))}`);
    const search = fillAll(query ? describeInput(query) : {});
    for (const [field, value] of Object.entries(search)) url.searchParams.set(field, String(value));
    const content =
      name === 'POST /posts'
        ? { ...somePost, title: TITLE, phone_number: NUMBER }
        : fillAll(body ? describeInput(body) : {});
    return new Request(url, {
      method,
      headers: {
        'User-Agent': TITLE,
        'Idempotency-Key': TITLE,
        'CF-Connecting-IP': '203.0.113.9',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      },
      ...(body && {
        body: isForm ? new URLSearchParams(content as Record<string, string>) : JSON.stringify(content),
      }),
    });
  }

  async function callAll(bindings: Env, token?: string): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
      const ctx = createExecutionContext();
      const answer = await app.fetch(toRequest(name, endpoint, token), bindings, ctx);
      await answer.text();
      await waitOnExecutionContext(ctx);
      statuses.add(answer.status);
    }
    return statuses;
  }

  /** A database that fails like D1: the error's message contains the bound values. */
  function brokenBindings(): Env {
    const fail = async () => {
      throw new Error(`D1_ERROR: near "${TITLE}": ${MARKS.join(', ')}`);
    };
    const statement = { bind: () => ({ all: fail, raw: fail, run: fail }) };
    const DB = { withSession: () => ({ prepare: () => statement, batch: fail }) };
    return { ...env, DB } as unknown as Env;
  }

  async function callers(): Promise<(Person | null)[]> {
    return [null, await newPerson(), await newPlatformAdmin()];
  }

  test('no log line contains a request’s data, on any route, for any caller', async () => {
    for (const caller of await callers()) await callAll(env as Env, caller?.token);
    expect(lines().length).toBeGreaterThan(20);
    expectNothingTold();
  });

  test('the error message of a failing database, which contains bound values, does not reach the log', async () => {
    for (const caller of await callers()) expect(await callAll(brokenBindings(), caller?.token)).toContain(500);
    await sweep(brokenBindings());
    const { job } = await issueCode(NUMBER);
    await deliver(brokenBindings(), job);
    expect(new Set(lines().map(({ event }) => event))).toContain('whatsapp_consumer_failed');
    expect(lines().filter(({ event }) => event === 'unexpected_error').length).toBeGreaterThan(50);
    expectNothingTold();
  });

  test('a person’s data never reaches the log, from registration to deletion', async () => {
    const person = await newPerson({ email: EMAIL, whatsapp_number: NUMBER });
    await newPost(person, { title: TITLE, phone_number: NUMBER });
    expect((await signIn(EMAIL, person.password)).status).toBe(200);
    expect((await signIn(EMAIL, PASSWORD)).status).toBe(401);
    expect((await signIn('nobody@example.com', PASSWORD)).status).toBe(401);
    await sweep(env as Env);
    expect(lines()).toContainEqual(
      expect.objectContaining({ event: 'signed_in', user_id: person.id, is_known_device: false }),
    );
    expect(lines().filter(({ event }) => event === 'sign_in_failed')).toMatchObject([
      { user_id: person.id },
      { user_id: null },
    ]);
    expectNothingTold();
  });

  test('account changes and admin actions are logged with the response’s status, and without secrets', async () => {
    const admin = await newPlatformAdmin();
    const send = (method: string, path: string, body?: object) =>
      app.fetch(
        new Request(`${ORIGIN}${path}`, {
          method,
          headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        }),
        env as Env,
        createExecutionContext(),
      );
    await send('GET', `/api/admin/search?q=${encodeURIComponent(EMAIL)}`);
    await send('POST', '/api/admin/users/nobody/suspend', { reason: TITLE });
    await send('POST', '/api/me/password', { current_password: PASSWORD, new_password: PASSWORD });
    await send('GET', '/api/me');
    const acted = { event: 'acted', user_id: admin.id };
    expect(lines().filter(({ event }) => event === 'acted')).toMatchObject([
      { ...acted, method: 'GET', route: '/api/admin/search', status: 200 },
      { ...acted, method: 'POST', route: '/api/admin/users/:id/suspend', status: 404 },
      { ...acted, method: 'POST', route: '/api/me/password', status: 403 },
    ]);
    expectNothingTold();
  });
});

const BROKEN = {
  name: 'TypeError',
  frames: ['/assets/app-Bx3_k-9a.js:1:2345', '/assets/posts-D4.js:12:7'],
};

function tell(body: unknown, caller = {}): Promise<Response> {
  return call('POST', '/api/client-errors', body, caller);
}

test('a browser’s error report is logged as one line, with the id of the request that sent the report', async () => {
  const logs = captureLogs();
  const answer = await tell({ ...BROKEN, message: 'Mpigie Asha 0712345678' }, await newPerson());
  expect(answer.status).toBe(204);
  expect(logs.warn.mock.calls).toEqual([
    [{ event: 'client_error', request_id: answer.headers.get('X-Request-Id'), ...BROKEN }],
  ]);
});

test.each([
  ['an invalid class name', { name: 'Asha Juma' }],
  ['a stack frame from another site', { frames: ['https://example.com/a.js:1:2'] }],
  ['a stack frame with a text in it', { frames: ['/assets/app.js:1:2 Asha'] }],
  ['no stack frame', { frames: [] }],
])('a browser’s error report with %s is refused, and not logged', async (_what, wrong) => {
  const logs = captureLogs();
  expect((await tell({ ...BROKEN, ...wrong })).status).toBe(422);
  expect(logs.warn).not.toHaveBeenCalled();
});

test('a browser’s error report of more than 2 KiB is refused', async () => {
  captureLogs();
  const padding = 'x'.repeat(CLIENT_ERROR_MAX_BYTES - JSON.stringify({ ...BROKEN, padding: '' }).length);
  expect((await tell({ ...BROKEN, padding })).status).toBe(204);
  expect((await tell({ ...BROKEN, padding: `${padding}x` })).status).toBe(413);
  expect((await tell({ ...BROKEN, padding: 'x'.repeat(CLIENT_ERROR_MAX_BYTES) })).status).toBe(413);
});

test('a browser’s error report is refused if its IP address has sent too many reports', async () => {
  captureLogs();
  const caller = { headers: { 'CF-Connecting-IP': '203.0.113.77' } };
  const { max } = LIMITS.client_error_address;
  for (let sent = 0; sent < max; sent++) expect((await tell(BROKEN, caller)).status).toBe(204);
  const answer = await tell(BROKEN, caller);
  expect(answer.status).toBe(429);
  expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
});
