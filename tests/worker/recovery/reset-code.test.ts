import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { NoticeList } from '#contract/notices.ts';
import { ask, call, newPerson, ORIGIN, type Person, signIn } from '#tests/worker/support/api.ts';
import { countTrips } from '#tests/worker/support/count-trips.ts';
import {
  collectInto,
  DEAD_QUEUE,
  deliver,
  issueCode,
  numberKey,
  readCode,
  standInForMeta,
  subscriptionsOf,
} from '#tests/worker/support/messages.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { connect, settled, subscribe } from '#tests/worker/support/notices.ts';
import { guessAtOnce, holderOf, knownDevice, times } from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { strangerTurns } from '#worker/accounts/sign-in.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { digestResetCode } from '#worker/identity/codes.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { judgeGuess, stranger } from '#worker/recovery/reset-code.ts';
import { setPassword } from '#worker/recovery/set-password.ts';
import { clearExpired, KEPT_MS } from '#worker/retention.ts';

type Headers = Record<string, string>;
const NEW_PASSWORD = 'mwembe mkubwa wa babu';

function from(address: number): Headers {
  return { 'CF-Connecting-IP': `196.41.88.${address}` };
}

async function outcome(answer: Response): Promise<string> {
  return answer.status === 200 ? 'success' : `${answer.status} ${(await answer.json<ErrorBody>()).code}`;
}

async function request(phone: string, headers: Headers): Promise<string> {
  const queue = { WHATSAPP_QUEUE: collectInto([]) };
  return outcome(await ask(queue, '/api/auth/request-password-reset', { whatsapp_number: phone }, headers));
}

async function verify(phone: string, code: string, headers: Headers): Promise<string> {
  const guess = { whatsapp_number: phone, verification_code: code };
  return outcome(await call('POST', '/api/auth/verify-code', guess, { headers }));
}

async function reset(phone: string, code: string, headers: Headers): Promise<string> {
  const body = { whatsapp_number: phone, verification_code: code, new_password: NEW_PASSWORD };
  return outcome(await call('POST', '/api/auth/reset-password', body, { headers }));
}

function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}

/** Sends this many wrong reset codes at once. @returns the results, sorted. */
async function guess(phone: string, code: string, count: number, headers: Headers): Promise<string[]> {
  const guesses = Array.from({ length: count }, (_, index) => verify(phone, wrong(code, index + 1), headers));
  return (await Promise.all(guesses)).sort();
}

const INVALID = '400 invalid_code';
const OVER = '400 code_expired';
function judged(count: number, of: number): string[] {
  return [...Array.from({ length: of - count }, () => OVER), ...Array.from({ length: count }, () => INVALID)];
}

test('five wrong attempts from one IP address block a reset code only for this IP address', async () => {
  const { phone } = await newPerson();
  const { code } = await issueCode(phone);
  expect(await guess(phone, code, 12, from(1))).toEqual(judged(5, 12));
  expect(await verify(phone, code, from(1))).toBe(OVER);
  expect(await guess(phone, code, 4, from(2))).toEqual(judged(4, 4));
  expect(await verify(phone, code, from(2))).toBe('success');
});

test('after twenty wrong attempts a reset code works only on a device that has signed in before', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  const attacks = await Promise.all([1, 2, 3, 4, 5].map((address) => guess(person.phone, code, 5, from(address))));
  expect(attacks.flat().filter((one) => one === INVALID)).toHaveLength(20);
  expect(await verify(person.phone, code, from(6))).toBe(OVER);
  const own = { ...from(1), ...device };
  expect(await guess(person.phone, code, 4, own)).toEqual(judged(4, 4));
  expect(await reset(person.phone, code, own)).toBe('success');
});

test('a device that signed in before can make at most five wrong attempts per reset code, even concurrently', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  expect(await guess(person.phone, code, 12, device)).toEqual(judged(5, 12));
  const counted = env.DB.prepare('select wrong_tries from reset_codes where user_id = ?').bind(person.id);
  expect(await counted.first('wrong_tries')).toBe(0);
  expect(await verify(person.phone, code, device)).toBe(OVER);
  const { code: next } = await issueCode(person.phone);
  expect(await verify(person.phone, next, device)).toBe('success');
});

test('on a device that signed in before, a new reset code works even after many wrong passwords and wrong reset codes', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  expect(await guessAtOnce(person.email, 11, device)).toEqual([...times(10, 401), 429]);
  for (let codes = 0; codes < 2; codes++) {
    const { code } = await issueCode(person.phone);
    expect(await guess(person.phone, code, 5, device)).toEqual(judged(5, 5));
    expect(await verify(person.phone, code, device)).toBe(OVER);
  }
  const { code } = await issueCode(person.phone);
  expect(await verify(person.phone, code, device)).toBe('success');
});

test('at most fifty wrong reset codes a day are checked for one device that signed in before', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  await env.DB.prepare("delete from rate_counters where subject like 'reset_guess:%'").run();
  expect(await verify(person.phone, wrong(code), device)).toBe(INVALID);
  const counted = await env.DB.prepare(
    "update rate_counters set count = 50 where subject like 'reset_guess:%' and count = 1 returning subject",
  ).all();
  expect(counted.results).toHaveLength(1);
  expect(await verify(person.phone, code, device)).toBe('429 too_many_requests');
});

test('after unknown devices reach the limit of reset codes for a phone number, a device known to the account can request three more', async () => {
  const person = await newPerson();
  const device = { ...from(1), ...(await knownDevice(person)) };
  const strangers = await Promise.all(Array.from({ length: 8 }, () => request(person.phone, from(1))));
  expect(strangers.filter((one) => one === 'success')).toHaveLength(3);
  expect(await request(person.phone, from(2))).toBe('429 too_many_requests');
  const own = await Promise.all(Array.from({ length: 8 }, () => request(person.phone, device)));
  expect(own.filter((one) => one === 'success')).toHaveLength(3);
  expect(own.filter((one) => one === '429 too_many_requests')).toHaveLength(5);
});

test('a device that signed in before gets a reset code even if the hourly limit of reset codes for its IP address is used up', async () => {
  const person = await newPerson();
  const device = { ...from(9), ...(await knownDevice(person)) };
  const { phone } = await newPerson();
  for (let index = 0; index < 6; index++) await request(phone, from(9));
  const { key, max } = allowanceOf(readConfig(env), 'code_address', '196.41.88.9');
  const counter = await env.DB.prepare('select count from rate_counters where subject = ?').bind(key).first();
  expect(counter).toEqual({ count: 3 });
  await env.DB.prepare('update rate_counters set count = ? where subject = ?').bind(max, key).run();
  expect(await request(person.phone, from(9))).toBe('429 too_many_requests');
  expect(await request(person.phone, device)).toBe('success');
});

test('a device whose cookie was issued for another account counts as an unknown device for reset codes', async () => {
  const [person, thief] = [await newPerson(), await newPerson()];
  const foreign = { ...from(1), ...(await knownDevice(thief)) };
  for (let index = 0; index < 3; index++) expect(await request(person.phone, foreign)).toBe('success');
  expect(await request(person.phone, from(2))).toBe('429 too_many_requests');
  const { code } = await issueCode(person.phone);
  expect(await guess(person.phone, code, 5, from(1))).toEqual(judged(5, 5));
  expect(await verify(person.phone, code, foreign)).toBe(OVER);
});

test('after a password reset, a device that signed in earlier, such as a stolen phone, counts as an unknown device for reset codes', async () => {
  const person = await newPerson();
  const stolen = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  expect(await reset(person.phone, code, from(1))).toBe('success');
  const { code: next } = await issueCode(person.phone);
  expect(await guess(person.phone, next, 5, from(1))).toEqual(judged(5, 5));
  expect(await verify(person.phone, next, { ...from(1), ...stolen })).toBe(OVER);
});

test('devices that never signed in to an account share a limit of 200 wrong reset codes a day; the account’s devices are not blocked', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  expect(await verify(person.phone, wrong(code), from(1))).toBe(INVALID);
  const { key } = allowanceOf(readConfig(env), 'reset_guess_number', person.phone);
  await env.DB.prepare('update rate_counters set count = 199 where subject = ?').bind(key).run();
  expect(await verify(person.phone, wrong(code), from(2))).toBe(INVALID);
  expect(await verify(person.phone, code, from(3))).toBe('429 too_many_requests');
  expect(await verify(person.phone, code, { ...from(3), ...device })).toBe('success');
});

describe('reset codes', () => {
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

  test('only wrong reset codes are counted, and setting a new password clears the count for the phone number', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { code } = await issueCode(person.phone);
    await issueCode(other.phone);
    for (let time = 0; time < 6; time++) {
      const { answer, trips } = await verify(person.phone, code);
      // The request has no device cookie, so the Worker does not look up whether the phone number has an account.
      expect([answer.status, trips]).toEqual([200, 1]);
    }
    expect([await countOf(person.phone), (await codeRowOf(person))?.wrong_tries]).toEqual([null, 0]);
    expect((await verify(person.phone, wrong(code))).answer.status).toBe(400);
    expect([await countOf(person.phone), (await codeRowOf(person))?.wrong_tries]).toEqual([1, 1]);
    expect((await codeRowOf(other))?.wrong_tries).toBe(0);
    expect((await reset(person, code)).status).toBe(200);
    expect(await countOf(person.phone)).toBeNull();
  });

  test('a reset code expires five minutes after its issue, or ten minutes after its issue if it was verified in time', async () => {
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

  test('a replaced, unverified, expired or used reset code sets no password', async () => {
    const person = await newPerson();
    const { phone } = person;
    const { code } = await issueCode(phone);
    const { issued_at: issuedAt = 0 } = (await codeRowOf(person)) ?? {};
    const signIns = strangerTurns(readConfig(env), person.email, 'unknown');
    const set = (guessed: string, now: number) => {
      const change = { hash: 'a hash', signIns, noticeId: crypto.randomUUID() };
      return setPassword(openDb(env), guessOf(phone, guessed, now), change);
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

  test('a password reset signs out every device of the account and ends their push subscriptions, and affects no other account', async () => {
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

  test('the row with a phone number’s reset codes is deleted a day after the newest of these codes was requested', async () => {
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
});

describe('secrecy of reset codes', () => {
  afterEach(() => vi.unstubAllGlobals());

  const FAULTS = [
    { code: 131000, httpStatus: 500 },
    { code: 131026, httpStatus: 400 },
    { code: 190, httpStatus: 401 },
    { code: 132001, httpStatus: 404 },
    { html: 502 },
    'drop',
    'no_id',
    null,
  ] as const;

  for (const fault of FAULTS) {
    test(`a reset code is never in a log, error, URL, queue or table if Meta’s response is ${JSON.stringify(fault)}`, async () => {
      const { phone } = await newPerson();
      const logs = captureLogs();
      const meta = standInForMeta();
      const jobs: WhatsappJob[] = [];
      const answers: string[] = [];
      const urls: string[] = [];
      const bindings = { ...meta.env, WHATSAPP_QUEUE: collectInto(jobs) };
      const ask = async (path: string, body: Record<string, string>) => {
        const ctx = createExecutionContext();
        const headers = { 'Content-Type': 'application/json' };
        const request = new Request(`${ORIGIN}/api/auth/${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        urls.push(request.url);
        const answer = await app.fetch(request, bindings, ctx);
        await waitOnExecutionContext(ctx);
        answers.push(JSON.stringify([...answer.headers]), await answer.text());
        return answer.status;
      };
      await env.DB.exec('delete from whatsapp_pauses');
      await ask('request-password-reset', { whatsapp_number: phone });
      const code = await readCode(phone);
      if (fault) meta.api.failNext(fault, fault, fault);
      for (const job of jobs) {
        for (const attempts of [1, 2, 3, 10]) {
          await deliver(bindings, job, { attempts });
          await env.DB.exec('delete from whatsapp_pauses');
        }
      }
      for (const job of [...jobs, ...meta.deadLetters]) await deliver(bindings, job, { queue: DEAD_QUEUE });
      const guess = { whatsapp_number: phone, verification_code: code };
      // A failing database puts the whole statement, with its values, into its error.
      const broken = bindings.DB;
      bindings.DB = { withSession: () => ({ prepare: failing(code), batch: failing(code) }) } as unknown as D1Database;
      expect(await ask('verify-code', guess)).toBe(500);
      bindings.DB = broken;
      await ask('verify-code', { ...guess, verification_code: '1234567' });
      await ask('reset-password', { ...guess, new_password: 'password' });
      expect(await ask('verify-code', guess)).toBe(200);
      expect(await ask('reset-password', { ...guess, new_password: 'mwembe mkubwa wa babu' })).toBe(200);
      expect(await ask('reset-password', { ...guess, new_password: 'mwembe mkubwa wa babu' })).toBe(400);

      const logged = Object.values(logs).flatMap((logger) => logger.mock.calls.map((entries) => inspect(entries)));
      expect(logged.length).toBeGreaterThan(0);
      // Searches for the reset code only as a separate word, because a random id may contain the same six digits.
      const alone = new RegExp(`(?<!\\w)${code}(?!\\w)`);
      for (const text of [...logged, ...answers, ...urls, ...meta.urls, JSON.stringify([jobs, meta.deadLetters])]) {
        expect(text).not.toMatch(alone);
      }
      expect(await dumpDatabase()).not.toMatch(alone);
      expect(meta.api.calls.filter(({ message }) => message).every(({ message }) => message?.button === code)).toBe(
        true,
      );
    });
  }

  function failing(code: string) {
    return () => {
      throw new Error(`D1_ERROR: near "x": select ... params: ${code}`);
    };
  }

  /** Returns a log entry as a terminal or log service would write it, with the messages and stacks of errors. */
  function inspect(entries: unknown[]): string {
    return JSON.stringify(entries, (_key, value: unknown) =>
      value instanceof Error ? `${value.message} ${value.stack} ${String(value.cause)}` : value,
    );
  }

  async function dumpDatabase(): Promise<string> {
    const tables = [
      'reset_codes',
      'whatsapp_messages',
      'whatsapp_dead_letters',
      'whatsapp_pauses',
      'whatsapp_deliveries',
    ];
    const rows = await Promise.all(tables.map((table) => env.DB.prepare(`select * from ${table}`).all()));
    return JSON.stringify(rows.map(({ results }) => results));
  }
});

function resetBody({ phone }: Person, code: string) {
  return { whatsapp_number: phone, verification_code: code, new_password: NEW_PASSWORD };
}

async function tokenAfter(person: Person): Promise<string> {
  const session = await (await signIn(person.email, NEW_PASSWORD)).json<{ access_token: string }>();
  return session.access_token;
}

async function toldTo(token: string) {
  const list = await (await call('GET', '/api/notices', undefined, { token })).json<NoticeList>();
  return list.notices.map(({ message }) => message);
}

test('a password reset by WhatsApp code proves the phone number, and sends the person a notice', async () => {
  const person = await newPerson();
  expect((await holderOf(person.phone))?.is_proven).toBe(0);
  const { code } = await issueCode(person.phone);
  expect((await call('POST', '/api/auth/reset-password', resetBody(person, code))).status).toBe(200);
  expect(await holderOf(person.phone)).toEqual({ id: person.id, is_proven: 1 });
  const token = await tokenAfter(person);
  const [message] = await toldTo(token);
  expect(message).toEqual({ type: 'password_changed', id: expect.any(String), created_at: expect.any(String) });
  const live = await connect({ id: person.id, token });
  await settled(live);
  await expect.poll(() => live.messages).toEqual([message]);
});

test('a refused password reset notifies nobody and proves no phone number', async () => {
  const person = await newPerson();
  await issueCode(person.phone);
  expect((await call('POST', '/api/auth/reset-password', resetBody(person, '000000'))).status).toBe(400);
  expect(await toldTo(person.token)).toEqual([]);
  expect((await holderOf(person.phone))?.is_proven).toBe(0);
});

test('an interrupted password reset notifies the person only if the password was changed', async () => {
  for (let dieAt = 0; ; dieAt++) {
    const person = await newPerson();
    const { code } = await issueCode(person.phone);
    const mortal = mortalEnv(dieAt);
    const request = new Request(`${ORIGIN}/api/auth/reset-password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(resetBody(person, code)),
    });
    const ctx = createExecutionContext();
    await app.fetch(request, mortal.env, ctx);
    // After the simulated crash, the remaining background work fails.
    await waitOnExecutionContext(ctx).catch(() => undefined);
    const isChanged = (await signIn(person.email, NEW_PASSWORD)).status === 200;
    const told = await env.DB.prepare('select count(*) as n from notices where recipient_id = ?')
      .bind(person.id)
      .first('n');
    expect([dieAt, told, (await holderOf(person.phone))?.is_proven]).toEqual([
      dieAt,
      Number(isChanged),
      Number(isChanged),
    ]);
    if (!mortal.isDead()) return;
  }
  // The time limit is long, because every simulated crash costs two password hashes.
}, 120_000);
