import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';
import { LOG_EVENTS, LOG_FIELDS } from '#worker/errors/log-events.ts';
import { sweep } from '#worker/sweep.ts';
import { newPerson, newPost, ORIGIN, type Person, signIn, somePost } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { deliver, issueCode } from './support/whatsapp.ts';

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

/** What was logged; what the local transport prints for a developer is no log, and no deployed Worker prints it. */
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

/** Something that the schema may well take, with a mark wherever people write. */
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

/** The endpoint as somebody would call it who writes marks wherever they can, into the address too. */
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

/** A database that fails as D1 does: its message holds the values that were bound. */
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

test('no line of the log holds what a request does, on any route, whoever calls', async () => {
  for (const caller of await callers()) await callAll(env as Env, caller?.token);
  expect(lines().length).toBeGreaterThan(20);
  expectNothingTold();
});

test('nor where the database fails under it, with a message that holds it', async () => {
  for (const caller of await callers()) expect(await callAll(brokenBindings(), caller?.token)).toContain(500);
  await sweep(brokenBindings());
  const { job } = await issueCode(NUMBER);
  await deliver(brokenBindings(), job);
  expect(new Set(lines().map(({ event }) => event))).toContain('whatsapp_consumer_failed');
  expect(lines().filter(({ event }) => event === 'unexpected_error').length).toBeGreaterThan(50);
  expectNothingTold();
});

test('nor what somebody does from their first day to their last', async () => {
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

test('who changes an account or acts as an admin is logged, with what came of it', async () => {
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
