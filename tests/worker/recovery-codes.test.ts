import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import { strangerTurns } from '#worker/accounts/index.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { tellPasswordChanged } from '#worker/notices/store.ts';
import { stranger } from '#worker/recovery/requester.ts';
import { judgeGuess, setPassword } from '#worker/recovery/store.ts';
import { digestResetCode } from '#worker/whatsapp/code.ts';
import { call, newPerson, type Person, signIn } from './support/api.ts';
import { countTrips } from './support/count-trips.ts';
import { subscriptionsOf } from './support/push.ts';
import { subscribe } from './support/telling.ts';
import { issueCode, numberKey } from './support/whatsapp.ts';

const NEW_PASSWORD = 'mwembe mkubwa wa babu';

type CodeRow = { issued_at: number; wrong_tries: number; used_at: number | null };

async function codeRowOf({ phone }: Person): Promise<CodeRow | null> {
  return env.DB.prepare('select issued_at, wrong_tries, used_at from reset_codes where number_key = ?')
    .bind(numberKey(phone))
    .first<CodeRow>();
}

function guessOf(phone: string, code: string, now: number) {
  const config = readConfig(env);
  return {
    number: phone,
    numberKey: numberKey(phone),
    codeDigest: digestResetCode(config.keys.code, phone, code),
    requester: stranger(config, phone, 'unknown', now),
    now,
  };
}

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

function verify(phone: string, code: string) {
  return countTrips('POST', '/api/auth/verify-code', { body: { whatsapp_number: phone, verification_code: code } });
}

function reset({ phone }: Person, code: string) {
  const body = { whatsapp_number: phone, verification_code: code, new_password: NEW_PASSWORD };
  return call('POST', '/api/auth/reset-password', body);
}

async function countOf(phone: string): Promise<number | null> {
  const { key } = allowanceOf(readConfig(env), 'reset_guess', `${phone}\0unknown`);
  return env.DB.prepare('select count from rate_counters where subject = ?').bind(key).first<number>('count');
}

test('a right guess costs no try, a wrong one a try of its own number, and a password that is set forgets them', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const { code } = await issueCode(person.phone);
  await issueCode(other.phone);
  for (let time = 0; time < 6; time++) {
    const { answer, trips } = await verify(person.phone, code);
    // Whoever has no cookie causes no query that says whether somebody has the number.
    expect([answer.status, trips]).toEqual([200, 1]);
  }
  expect([await countOf(person.phone), (await codeRowOf(person))?.wrong_tries]).toEqual([null, 0]);
  expect((await verify(person.phone, wrong(code))).answer.status).toBe(400);
  expect([await countOf(person.phone), (await codeRowOf(person))?.wrong_tries]).toEqual([1, 1]);
  expect((await codeRowOf(other))?.wrong_tries).toBe(0);
  expect((await reset(person, code)).status).toBe(200);
  expect(await countOf(person.phone)).toBeNull();
});

test('a code has expired five minutes after its issue, and one that was verified after ten, to the millisecond', async () => {
  const { phone, ...person } = await newPerson();
  const { code } = await issueCode(phone);
  const { issued_at: issuedAt = 0 } = (await codeRowOf({ ...person, phone })) ?? {};
  const judge = async (afterMs: number, lifetimeMs: number) =>
    (await judgeGuess(openDb(env), guessOf(phone, code, issuedAt + afterMs), lifetimeMs)).isRight;
  expect(await judge(5 * MINUTE_MS, 10 * MINUTE_MS)).toBeNull();
  expect(await judge(5 * MINUTE_MS - 1, 5 * MINUTE_MS)).toBe(true);
  expect(await judge(10 * MINUTE_MS - 1, 10 * MINUTE_MS)).toBe(true);
  expect(await judge(10 * MINUTE_MS, 10 * MINUTE_MS)).toBeNull();
});

test('no password is set by a code that was replaced, was not verified, has expired or was used by then', async () => {
  const person = await newPerson();
  const { phone } = person;
  const { code } = await issueCode(phone);
  const { issued_at: issuedAt = 0 } = (await codeRowOf(person)) ?? {};
  const signIns = strangerTurns(readConfig(env), person.email, 'unknown');
  const set = async (guessed: string, now: number) => {
    const db = openDb(env);
    const tell = (userId: Parameters<typeof tellPasswordChanged>[1]) =>
      tellPasswordChanged(db, userId, crypto.randomUUID(), now);
    return setPassword(db, guessOf(phone, guessed, now), 'a hash', signIns, tell);
  };
  expect(await set(code, issuedAt + 1)).toBeNull();
  expect((await verify(phone, code)).answer.status).toBe(200);
  expect(await set(wrong(code), issuedAt + 1)).toBeNull();
  expect(await set(code, issuedAt + 10 * MINUTE_MS)).toBeNull();
  expect((await signIn(person.email, person.password)).status).toBe(200);
  expect(await codeRowOf(person)).toMatchObject({ used_at: null });
  const told = env.DB.prepare('select count(*) as n from notices where recipient_id = ?').bind(person.id);
  expect(await told.first('n')).toBe(0);
  expect(await set(code, issuedAt + 10 * MINUTE_MS - 1)).toBe(person.id);
  expect(await set(code, issuedAt + 10 * MINUTE_MS - 1)).toBeNull();
});

test("a reset ends every device and browser of the account, and nobody else's", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  for (const one of [person, other]) {
    expect((await signIn(one.email, one.password)).status).toBe(200);
    await subscribe({ ...one, tokenVersion: 1 }, `https://fcm.googleapis.com/${one.id}`);
  }
  const { code } = await issueCode(person.phone);
  expect((await reset(person, code)).status).toBe(200);
  const devices = async ({ id }: Person) =>
    env.DB.prepare('select count(*) as n from devices where user_id = ? and ended_at is null').bind(id).first('n');
  expect([await devices(person), await devices(other)]).toEqual([0, 1]);
  expect([await subscriptionsOf(person), (await subscriptionsOf(other)).length]).toEqual([[], 1]);
});

test('a code stays for a day, and while a newer one is on its way, to the millisecond', async () => {
  const [person, waiting] = [await newPerson(), await newPerson()];
  await issueCode(person.phone);
  await issueCode(waiting.phone);
  const { issued_at: issuedAt = 0 } = (await codeRowOf(person)) ?? {};
  const end = issuedAt + KEPT_MS.code;
  await env.DB.prepare('update reset_codes set issued_at = 0, next_issued_at = ? where user_id = ?')
    .bind(issuedAt, waiting.id)
    .run();
  await clearExpired(openDb(env), end);
  expect([await codeRowOf(person), await codeRowOf(waiting)]).not.toContain(null);
  await clearExpired(openDb(env), end + 1);
  expect([await codeRowOf(person), await codeRowOf(waiting)]).toEqual([null, null]);
});
