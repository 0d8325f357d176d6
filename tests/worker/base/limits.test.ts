import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { type Caller, call, newPerson, ORIGIN } from '#tests/worker/support/api.ts';
import { counting, countTrips } from '#tests/worker/support/count-trips.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import type { AppError } from '#worker/errors/app-error.ts';
import {
  type Allowance,
  allowanceOf,
  assertRoom,
  assertRooms,
  assertWithin,
  clearEndedWindows,
  countEach,
  countEachIf,
  countIf,
  countOne,
  forgetCounts,
  hasRoom,
  haveRoom,
  isWithin,
  readCount,
  readCounts,
} from '#worker/limits/allowance.ts';
import {
  assertTurns,
  countEvent,
  forgetTurns,
  hasTurn,
  readWait,
  type Turn,
  takeTurn,
} from '#worker/limits/attempts.ts';
import { bar, barOf, clearEndedBars, refuseBarredNumber, selectBars } from '#worker/limits/bars.ts';

const db = openDb(env);
const config = readConfig(env);
const NOW = 1_800_000_000_000;
const WINDOW_MS = 60_000;

let subjects = 0;
const newAllowance = (max: number, windowMs = WINDOW_MS): Allowance => ({ key: `mtu:${++subjects}`, max, windowMs });

async function count(allowance: Allowance, now: number, times = 1) {
  let counted: { count: number; windowEndsAt: number } | undefined;
  for (let time = 0; time < times; time++) counted = await countOne(db, allowance, now);
  return counted;
}

async function holds(condition: ReturnType<typeof hasRoom>): Promise<boolean> {
  const [row] = await db.all<{ n: number }>(sql`select ${condition} as n`);
  return row?.n === 1;
}

function refusalOf(act: () => void): number | null {
  try {
    act();
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_many_requests' });
    return (error as AppError).retryAfterSeconds;
  }
}

test('the count of a rate limit lasts to the end of its time window, and starts again in the next window', async () => {
  const allowance = newAllowance(5);
  expect(await count(allowance, NOW)).toEqual({ count: 1, windowEndsAt: NOW + WINDOW_MS });
  const last = NOW + WINDOW_MS - 1;
  expect(await count(allowance, last)).toEqual({ count: 2, windowEndsAt: NOW + WINDOW_MS });
  expect(await readCount(db, allowance, last)).toEqual({ count: 2, windowEndsAt: NOW + WINDOW_MS });
  const next = NOW + WINDOW_MS;
  expect(await readCount(db, allowance, next)).toBeUndefined();
  expect(await count(allowance, next)).toEqual({ count: 1, windowEndsAt: next + WINDOW_MS });
  await forgetCounts(db, [allowance], sql`true`);
  expect(await readCount(db, allowance, next)).toBeUndefined();
});

test('a rate limit for two events allows two events in a time window, and refuses the third', async () => {
  const [allowance, other] = [newAllowance(2), newAllowance(1)];
  const rooms = async (now = NOW) => [await holds(hasRoom(allowance, now)), await holds(isWithin(allowance, now))];
  expect(await rooms()).toEqual([true, true]);
  await count(allowance, NOW);
  expect(await rooms()).toEqual([true, true]);
  await count(allowance, NOW);
  expect(await rooms()).toEqual([false, true]);
  await count(allowance, NOW);
  expect(await rooms()).toEqual([false, false]);
  expect(await rooms(NOW + WINDOW_MS - 1)).toEqual([false, false]);
  expect(await rooms(NOW + WINDOW_MS)).toEqual([true, true]);
  expect(await holds(haveRoom([other], NOW))).toBe(true);
  expect(await holds(haveRoom([other, allowance], NOW))).toBe(false);
  expect(await holds(haveRoom([allowance, other], NOW))).toBe(false);
});

test('countIf and countEachIf count an event only if their SQL condition is true, and count each rate limit separately', async () => {
  const [first, second] = [newAllowance(2), newAllowance(2, 2 * WINDOW_MS)];
  expect(await countIf(db, first, sql`false`, NOW)).toBeUndefined();
  expect(await countEachIf(db, [first, second], sql`false`, NOW)).toEqual([]);
  await countEachIf(db, [first, second], sql`true`, NOW);
  await countEachIf(db, [second], sql`true`, NOW);
  await count(newAllowance(1), NOW);
  const counts = await readCounts(db, [first, second], NOW);
  expect(counts.toSorted((left, right) => left.count - right.count)).toEqual([
    { key: first.key, count: 1, windowEndsAt: NOW + WINDOW_MS },
    { key: second.key, count: 2, windowEndsAt: NOW + 2 * WINDOW_MS },
  ]);
  expect(await readCounts(db, [first, second], NOW + WINDOW_MS)).toMatchObject([{ key: second.key }]);
  const events = sql`from (select 1 as n union all select 2 union all select 2)`;
  const key = sql`'tukio:' || n`;
  const each = await countEach(db, first, { from: events, key }, NOW);
  expect(each.map((row) => row.count).sort()).toEqual([1, 2]);
});

test('the wait after an event refused by a rate limit is given in whole seconds, at least one', () => {
  const allowance = newAllowance(2);
  const counted = (events: number, leftMs: number) => ({ count: events, windowEndsAt: NOW + leftMs });
  expect(refusalOf(() => assertWithin(allowance, undefined, NOW))).toBeNull();
  expect(refusalOf(() => assertWithin(allowance, counted(2, 1), NOW))).toBeNull();
  expect(refusalOf(() => assertWithin(allowance, counted(3, 1_001), NOW))).toBe(2);
  expect(refusalOf(() => assertWithin(allowance, counted(3, 1_000), NOW))).toBe(1);
  expect(refusalOf(() => assertWithin(allowance, counted(3, -1), NOW))).toBe(1);
  expect(refusalOf(() => assertRoom(allowance, undefined, NOW))).toBeNull();
  expect(refusalOf(() => assertRoom(allowance, counted(1, 1), NOW))).toBeNull();
  expect(refusalOf(() => assertRoom(allowance, counted(2, 7_000), NOW))).toBe(7);
  const full = { key: allowance.key, ...counted(2, 9_000) };
  expect(refusalOf(() => assertRooms([newAllowance(1), allowance], [full], NOW))).toBe(9);
  expect(refusalOf(() => assertRooms([newAllowance(1)], [full], NOW))).toBeNull();
});

test('each rate limit counts each person separately, and the counter’s key does not reveal the person', () => {
  const keys = [
    allowanceOf(config, 'report', 'Asha').key,
    allowanceOf(config, 'report', 'Juma').key,
    allowanceOf(config, 'claim', 'Asha').key,
  ];
  expect(new Set(keys.map((key) => key.split(':')[1])).size).toBe(3);
  expect(keys.join()).not.toContain('Asha');
  expect(keys[0]).toMatch(/^report:/);
});

test('the scheduled job deletes only rate-limit counts whose time window has ended', async () => {
  const [ended, going] = [newAllowance(1), newAllowance(1, WINDOW_MS + 1)];
  for (const allowance of [ended, going]) await count(allowance, NOW);
  await clearEndedWindows(db, NOW + WINDOW_MS);
  expect(await readCounts(db, [ended, going], NOW)).toMatchObject([{ key: going.key }]);
});

const guess = (turns: Turn[], now: number) => refusalAfter(takeTurn(db, turns, now));

test('once a rate limit is used up, its second limit (“pause”) still allows one event a minute', async () => {
  const pause = newAllowance(1, WINDOW_MS);
  const turns = [{ ...newAllowance(2, 10 * WINDOW_MS), pause }];
  expect(await guess(turns, NOW)).toBeNull();
  expect(await readCounts(db, [pause], NOW)).toEqual([]);
  expect([await guess(turns, NOW), await guess(turns, NOW)]).toEqual([null, 60]);
  expect(await readCounts(db, [...turns, pause], NOW)).toHaveLength(2);
  expect(await refusalAfter(assertTurns(db, [newAllowance(1), ...turns], NOW))).toBe(60);
  expect(await readWait(db, turns, NOW)).toEqual({ until: NOW + WINDOW_MS });
  const later = NOW + WINDOW_MS;
  expect(await readWait(db, turns, later)).toEqual({ until: null });
  expect([await guess(turns, later), await guess(turns, later)]).toEqual([null, 60]);
});

test('an event refused by one of several rate limits is counted in none, and the longest wait of the used-up limits applies', async () => {
  const [narrow, wide, full] = [newAllowance(1), newAllowance(5), newAllowance(1, 2 * WINDOW_MS)];
  await count(full, NOW);
  expect(await guess([narrow, wide, full], NOW)).toBe(120);
  expect(await readCounts(db, [narrow, wide], NOW)).toEqual([]);
  expect(await guess([narrow, wide], NOW)).toBeNull();
  expect(await guess([narrow, wide, full], NOW)).toBe(120);
  expect(await guess([narrow, wide], NOW)).toBe(60);
  expect(await readCounts(db, [wide], NOW)).toMatchObject([{ count: 1 }]);
});

test('a used-up limit on distinct values (such as phone numbers) refuses a new value, but allows a value counted before', async () => {
  const allowance = newAllowance(2);
  const askFor = (thing: string) => guess([{ ...allowance, once: `${allowance.key}:${thing}` }], NOW);
  for (const thing of ['simu', 'simu', 'begi']) expect(await askFor(thing)).toBeNull();
  expect(await readCounts(db, [allowance], NOW)).toMatchObject([{ count: 2 }]);
  expect([await askFor('ufunguo'), await askFor('simu')]).toEqual([60, null]);
});

async function refusalAfter(act: Promise<void>): Promise<number | null> {
  const failure = await act.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure === null) return null;
  expect(failure).toMatchObject({ code: 'too_many_requests' });
  return (failure as AppError).retryAfterSeconds;
}

test('a right guess at a password resets the count of attempts, unless all allowed attempts are used up', async () => {
  const turns = [{ ...newAllowance(2), pause: newAllowance(1) }];
  const forget = () => forgetTurns(db, turns, hasTurn(turns, NOW));
  await countEvent(db, turns, sql`false`, NOW);
  expect(await readCounts(db, turns, NOW)).toEqual([]);
  await takeTurn(db, turns, NOW);
  await forget();
  expect(await readCounts(db, turns, NOW)).toEqual([]);
  for (let time = 0; time < 2; time++) await takeTurn(db, turns, NOW);
  expect(await holds(hasTurn(turns, NOW))).toBe(false);
  await forget();
  expect(await readCounts(db, turns, NOW)).toMatchObject([{ count: 2 }]);
});

test('a phone number barred from registration until two different times stays barred until the later time', async () => {
  const [barred, other] = ['+255700111222', '+255700111333'];
  const key = barOf(config, 'number', barred);
  expect(new Set([key, barOf(config, 'email', barred), barOf(config, 'number', other)]).size).toBe(3);
  await bar(db, [key], NOW + 2);
  await bar(db, [key], NOW + 1);
  const refusal = { code: 'suspended' };
  await expect(refuseBarredNumber(db, config, barred, NOW + 1)).rejects.toMatchObject(refusal);
  await expect(refuseBarredNumber(db, config, barred, NOW + 2)).resolves.toBeUndefined();
  await expect(refuseBarredNumber(db, config, other, NOW)).resolves.toBeUndefined();
  await clearEndedBars(db, NOW + 1);
  expect(await selectBars(db, [key], NOW)).toEqual([{ ends_at: NOW + 2 }]);
  await clearEndedBars(db, NOW + 2);
  expect(await selectBars(db, [key], NOW)).toEqual([]);
});

const AT_ONCE = 100;

/** Uses up the limit of this key: calls the limiter until it refuses a call. */
async function exhaust(limiter: RateLimit, key: string): Promise<void> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => limiter.limit({ key })));
    if (answers.some(({ success }) => !success)) return;
  }
}

/**
 * Uses up the limit of the current minute, then sends a request that gets 429. If a new minute begins between these two
 * steps, repeats both.
 */
async function askBeyond(limiter: RateLimit, key: string, ask: () => ReturnType<typeof countTrips>) {
  for (let minute = 0; minute < 3; minute++) {
    await exhaust(limiter, key);
    const asked = await ask();
    if (asked.answer.status === 429) return asked;
  }
  throw new Error(`${key} is never refused`);
}

function readBeyond(limiter: RateLimit, key: string, caller: Caller) {
  return askBeyond(limiter, key, () => countTrips('GET', '/api/posts', caller));
}

async function countRows(): Promise<unknown> {
  return env.DB.prepare(
    'select (select count(*) from rate_counters) + (select count(*) from given_numbers) as n',
  ).first();
}

test('a person who sends too many requests gets 429 without a database call; other people’s requests succeed', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const before = await countRows();
  const { answer, trips } = await readBeyond(env.READS_OF_PERSON, `${person.id} 1`, person);
  expect([trips, answer.headers.get('Retry-After')]).toEqual([0, '60']);
  expect(await answer.json<ErrorBody>()).toEqual({ code: 'too_many_requests', detail: expect.any(String) });
  expect(await countRows()).toEqual(before);
  expect((await call('GET', '/api/posts', undefined, other)).status).toBe(200);
  expect((await call('GET', '/api/posts')).status).toBe(200);
});

test('an IP address that sends too many requests, with or without a token, gets 429 without a database call', async () => {
  const person = await newPerson();
  const headers = { 'CF-Connecting-IP': '196.41.8.1' };
  for (const caller of [{ headers }, { headers, token: person.token }]) {
    const { answer, trips } = await readBeyond(env.READS_OF_ADDRESS, '196.41.8.1', caller);
    expect([trips, answer.headers.get('Retry-After')]).toEqual([0, '60']);
    // A HEAD request is counted like a read.
    expect((await call('HEAD', '/api/posts', undefined, caller)).status).toBe(429);
  }
  expect((await call('GET', '/api/posts', undefined, { headers: { 'CF-Connecting-IP': '196.41.8.2' } })).status).toBe(
    200,
  );
}, 120_000);

test('a person who has reached the limit of reads can still send a write request', async () => {
  const person = await newPerson();
  await readBeyond(env.READS_OF_PERSON, `${person.id} 1`, person);
  expect((await call('POST', '/api/realtime/ticket', undefined, person)).status).toBe(200);
});

test('a person who sends too many writes gets 429 without a database call, and may still read', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const connect = (caller: Caller) => countTrips('POST', '/api/realtime/ticket', caller);
  const { answer, trips } = await askBeyond(env.WRITES_OF_PERSON, `${person.id} 1`, () => connect(person));
  expect([trips, answer.headers.get('Retry-After')]).toEqual([0, '60']);
  expect((await call('GET', '/api/posts', undefined, person)).status).toBe(200);
  expect((await connect(other)).answer.status).toBe(200);
});

const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } });

/** Returns a function that sends a request from an IP address. The limiter `name` refuses only the key `exhausted`. */
function readWhile(name: 'READS_OF_ADDRESS' | 'READS_OF_56' | 'READS_OF_48', exhausted: string, path = '/api/posts') {
  const limiter = { limit: async ({ key }: RateLimitOptions) => ({ success: key !== exhausted }) };
  return async (address: string) => {
    const request = new Request(ORIGIN + path, from(address));
    const answer = await app.fetch(request, { ...env, [name]: limiter }, createExecutionContext());
    return [answer.status, answer.headers.get('Retry-After')];
  };
}

const REFUSED = [429, '60'];

test('an IPv6 network that sends too many requests gets 429 for all addresses of its /56 or /48', async () => {
  const of56 = readWhile('READS_OF_56', '2001:db8:8:100::/56');
  expect(await of56('2001:db8:8:1ab::1')).toEqual(REFUSED);
  expect(await of56('2001:db8:8:200::1')).toEqual([200, null]);
  const of48 = readWhile('READS_OF_48', '2001:db8:8::/48');
  expect(await of48('2001:db8:8:200::1')).toEqual(REFUSED);
  expect(await of48('2001:db8:9:200::1')).toEqual([200, null]);
});

test('an IP address gets 429 for photos after too many photo requests, but not after too many other reads', async () => {
  const path = `/photos/${crypto.randomUUID()}.webp`;
  const load = readWhile('READS_OF_ADDRESS', 'photos 196.41.8.20', path);
  expect(await load('196.41.8.20')).toEqual(REFUSED);
  expect(await load('196.41.8.21')).toEqual([404, null]);
  expect(await readWhile('READS_OF_ADDRESS', '196.41.8.20', path)('196.41.8.20')).toEqual([404, null]);
});

const OPEN_WRITES = [
  '/api/login',
  '/api/users',
  '/api/auth/verify-code',
  '/api/feedback',
  '/api/posts',
  '/api/whatsapp/webhook',
];

/**
 * Sends a POST request whose body ends only when the Worker reads it.
 * @returns the response, whether the Worker read the body, and the number of database calls.
 */
async function write(path: string, headers: Record<string, string>) {
  const tally = { trips: 0, rowsRead: 0, isOver: false };
  let isRead = false;
  const body = new ReadableStream(
    {
      pull(controller) {
        isRead = true;
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request(ORIGIN + path, { method: 'POST', headers, body });
  const bindings = { ...env, DB: counting(env.DB, tally) };
  const answer = await app.fetch(request, bindings, createExecutionContext());
  return { answer, ...tally, isRead };
}

test('an IP address that sends too many writes without a valid token gets 429 before the body is read', async () => {
  const [person, address] = [await newPerson(), '196.41.8.10'];
  const headers = { 'CF-Connecting-IP': address, 'Content-Type': 'application/json' };
  await askBeyond(env.WRITES_OF_ADDRESS, address, () => write('/api/login', headers));
  for (const path of OPEN_WRITES)
    for (const token of ['', 'Bearer of.no.use']) {
      const { answer, isRead, trips } = await write(path, { ...headers, ...(token && { Authorization: token }) });
      expect([path, answer.status, answer.headers.get('Retry-After'), isRead, trips]).toEqual([
        path,
        429,
        '60',
        false,
        0,
      ]);
    }
  const ticket = { ...from(address), token: person.token };
  expect((await call('POST', '/api/realtime/ticket', undefined, ticket)).status).toBe(200);
  expect((await call('GET', '/api/posts', undefined, from(address))).status).toBe(200);
  expect((await call('POST', '/api/realtime/ticket', undefined, from('196.41.8.11'))).status).toBe(401);
}, 120_000);

test('if WHATSAPP_TRANSPORT is “local”, RATE_LIMITS=off switches off the limits on floods of requests', async () => {
  const person = await newPerson();
  await readBeyond(env.READS_OF_PERSON, `${person.id} 1`, person);
  const request = new Request(`${ORIGIN}/api/posts`, { headers: { Authorization: `Bearer ${person.token}` } });
  const answer = await app.fetch(request, { ...env, RATE_LIMITS: 'off' } as never, createExecutionContext());
  expect(answer.status).toBe(200);
});
