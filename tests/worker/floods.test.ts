import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';
import { type Caller, call, newPerson, ORIGIN } from './support/api.ts';
import { counting, countTrips } from './support/count-trips.ts';

const AT_ONCE = 100;

/** Asks until the limiter lets no more through. */
async function exhaust(limiter: RateLimit, key: string): Promise<void> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => limiter.limit({ key })));
    if (answers.some(({ success }) => !success)) return;
  }
}

/** The limiter's minute may end in between: then the next one is exhausted. */
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

test('a person who floods is answered 429 without the database, and nobody else is', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const before = await countRows();
  const { answer, trips } = await readBeyond(env.READS_OF_PERSON, `${person.id} 1`, person);
  expect([trips, answer.headers.get('Retry-After')]).toEqual([0, '60']);
  expect(await answer.json<ErrorBody>()).toEqual({ code: 'too_many_requests', detail: expect.any(String) });
  expect(await countRows()).toEqual(before);
  expect((await call('GET', '/api/posts', undefined, other)).status).toBe(200);
  expect((await call('GET', '/api/posts')).status).toBe(200);
});

test('an address that floods is answered 429 without the database, with and without a token; another one is not', async () => {
  const person = await newPerson();
  const headers = { 'CF-Connecting-IP': '196.41.8.1' };
  for (const caller of [{ headers }, { headers, token: person.token }]) {
    const { answer, trips } = await readBeyond(env.READS_OF_ADDRESS, '196.41.8.1', caller);
    expect([trips, answer.headers.get('Retry-After')]).toEqual([0, '60']);
    // What is asked for without its body is read all the same.
    expect((await call('HEAD', '/api/posts', undefined, caller)).status).toBe(429);
  }
  expect((await call('GET', '/api/posts', undefined, { headers: { 'CF-Connecting-IP': '196.41.8.2' } })).status).toBe(
    200,
  );
}, 120_000);

test('a write is not counted as a read', async () => {
  const person = await newPerson();
  await readBeyond(env.READS_OF_PERSON, `${person.id} 1`, person);
  expect((await call('POST', '/api/realtime/ticket', undefined, person)).status).toBe(200);
});

test('a person who floods with writes is answered 429 without the database; reads, and others, are not', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const connect = (caller: Caller) => countTrips('POST', '/api/realtime/ticket', caller);
  const { answer, trips } = await askBeyond(env.WRITES_OF_PERSON, `${person.id} 1`, () => connect(person));
  expect([trips, answer.headers.get('Retry-After')]).toEqual([0, '60']);
  expect((await call('GET', '/api/posts', undefined, person)).status).toBe(200);
  expect((await connect(other)).answer.status).toBe(200);
});

const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } });

/** The statuses of reads from these addresses, where the limiter has had enough of one key. */
function readWhile(name: 'READS_OF_ADDRESS' | 'READS_OF_56' | 'READS_OF_48', exhausted: string, path = '/api/posts') {
  const limiter = { limit: async ({ key }: RateLimitOptions) => ({ success: key !== exhausted }) };
  return async (address: string) => {
    const request = new Request(ORIGIN + path, from(address));
    const answer = await app.fetch(request, { ...env, [name]: limiter }, createExecutionContext());
    return [answer.status, answer.headers.get('Retry-After')];
  };
}

const REFUSED = [429, '60'];

test('an IPv6 network that floods is answered 429 by its /56 or its /48, whichever of its addresses asks', async () => {
  const of56 = readWhile('READS_OF_56', '2001:db8:8:100::/56');
  expect(await of56('2001:db8:8:1ab::1')).toEqual(REFUSED);
  expect(await of56('2001:db8:8:200::1')).toEqual([200, null]);
  const of48 = readWhile('READS_OF_48', '2001:db8:8::/48');
  expect(await of48('2001:db8:8:200::1')).toEqual(REFUSED);
  expect(await of48('2001:db8:9:200::1')).toEqual([200, null]);
});

test('photos of an address that floods are answered 429, and do not count as other reads', async () => {
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

/** Posts a body that ends only when it is read. @returns whether it was read, and how often the database was asked. */
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

test('an address that floods with writes without a valid token is answered 429 before the body is read, others are not', async () => {
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

test('RATE_LIMITS:off lifts the limit under the local transport', async () => {
  const person = await newPerson();
  await readBeyond(env.READS_OF_PERSON, `${person.id} 1`, person);
  const request = new Request(`${ORIGIN}/api/posts`, { headers: { Authorization: `Bearer ${person.token}` } });
  const answer = await app.fetch(request, { ...env, RATE_LIMITS: 'off' } as never, createExecutionContext());
  expect(answer.status).toBe(200);
});
