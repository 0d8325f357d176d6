import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { app } from '#worker/app.ts';
import { type Caller, call, newPerson, ORIGIN } from './support/api.ts';
import { countTrips } from './support/count-trips.ts';

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
  for (;;) {
    await exhaust(limiter, key);
    const asked = await ask();
    if (asked.answer.status === 429) return asked;
  }
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

test('RATE_LIMITS:off lifts the limit under the local transport', async () => {
  const person = await newPerson();
  await readBeyond(env.READS_OF_PERSON, `${person.id} 1`, person);
  const request = new Request(`${ORIGIN}/api/posts`, { headers: { Authorization: `Bearer ${person.token}` } });
  const answer = await app.fetch(request, { ...env, RATE_LIMITS: 'off' } as never, createExecutionContext());
  expect(answer.status).toBe(200);
});
