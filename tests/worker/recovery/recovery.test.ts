import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { WhatsappJob } from '#contract/jobs.ts';
import { ask, call, newPerson, ORIGIN, type Person, signIn } from '#tests/worker/support/api.ts';
import { ageCode, collectInto, deliver, issueCode, numberKey, readCode } from '#tests/worker/support/messages.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { DEATH_STEP } from '#tests/worker/support/test-run.ts';
import { strangerTurns } from '#worker/accounts/sign-in.ts';
import { finishClosingSockets } from '#worker/accounts/sign-out.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { deriveCode, digestResetCode } from '#worker/identity/codes.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { stranger } from '#worker/recovery/reset-code.ts';
import { setPassword } from '#worker/recovery/set-password.ts';
import { clearExpired } from '#worker/retention.ts';

const NEW_PASSWORD = 'mwembe mkubwa wa babu';

function request(phone: string) {
  return call('POST', '/api/auth/request-password-reset', { whatsapp_number: phone });
}

function verify(phone: string, code: string) {
  return call('POST', '/api/auth/verify-code', { whatsapp_number: phone, verification_code: code });
}

function reset(phone: string, code: string, password = NEW_PASSWORD) {
  const body = { whatsapp_number: phone, verification_code: code, new_password: password };
  return call('POST', '/api/auth/reset-password', body);
}

async function outcome(answer: Response | Promise<Response>): Promise<string> {
  const settled = await answer;
  return settled.status === 200 ? 'success' : `${settled.status} ${(await settled.json<ErrorBody>()).code}`;
}

function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}

let strangers = 0;
function strangersNumber(): string {
  return `+2556${String(Date.now()).slice(-6)}${String(++strangers).padStart(2, '0')}`;
}

test('a forgotten password is reset with the reset code from WhatsApp', async () => {
  const person = await newPerson();
  expect(await (await request(person.phone)).json()).toEqual({ success: true });
  const code = await readCode(person.phone);
  expect(await (await verify(person.phone, code)).json()).toEqual({ success: true });
  expect(await (await reset(person.phone, code)).json()).toEqual({ success: true });
  expect((await signIn(person.email, person.password)).status).toBe(401);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(200);
});

test('a password reset accepts a phone number in local notation with a space', async () => {
  const { phone } = await newPerson();
  const local = `0${phone.slice(4, 7)} ${phone.slice(7)}`;
  expect(await outcome(request(local))).toBe('success');
  expect(await outcome(verify(local, ` ${await readCode(phone)} `))).toBe('success');
});

test('a password reset with a malformed phone number, code or password is refused with the name of the field', async () => {
  for (const number of ['', 'simu', '+12', undefined])
    expect(await outcome(request(number as string))).toBe('422 validation_failed');
  const { phone } = await newPerson();
  expect(await outcome(verify(phone, ''))).toBe('422 validation_failed');
  expect(await outcome(verify(phone, '123'))).toBe('422 validation_failed');
  expect(await outcome(reset(phone, '123456', 'short'))).toBe('422 validation_failed');
});

test('requesting a reset code has the same response, SQL statements and queue job, whether or not the number has an account', async () => {
  const observe = async (phone: string) => {
    const jobs: WhatsappJob[] = [];
    const trips: string[] = [];
    const bindings = { DB: observed(trips), WHATSAPP_QUEUE: collectInto(jobs) };
    const answer = await ask(bindings, '/api/auth/request-password-reset', { whatsapp_number: phone });
    const guess = { whatsapp_number: phone, verification_code: wrong(await readCode(phone)) };
    const guessed = await ask(bindings, '/api/auth/verify-code', guess);
    // Every response has its own request id, so the id is not compared.
    const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id');
    return {
      answers: [answer.status, await answer.text(), headers, guessed.status, await guessed.text()],
      jobs: jobs.map(({ kind, language }) => ({ kind, language })),
      trips,
    };
  };
  const known = await observe((await newPerson()).phone);
  expect(known).toEqual(await observe(strangersNumber()));
  expect(known.answers[0]).toBe(200);
  expect(known.jobs).toEqual([{ kind: 'reset_code', language: 'en' }]);
  expect(known.trips).toHaveLength(2);
});

test('no reset code is accepted for a phone number without an account', async () => {
  const phone = strangersNumber();
  await request(phone);
  const code = await readCode(phone);
  const tries = [];
  for (let index = 0; index < 6; index++) tries.push(await outcome(verify(phone, code)));
  expect(tries).toEqual([...Array(5).fill('400 invalid_code'), '400 code_expired']);
});

test('the queue receives only the id of a reset request, and neither the code nor the phone number', async () => {
  const jobs: WhatsappJob[] = [];
  const { phone } = await newPerson();
  await ask({ WHATSAPP_QUEUE: collectInto(jobs) }, '/api/auth/request-password-reset', { whatsapp_number: phone });
  expect(jobs).toEqual([{ kind: 'reset_code', requestId: expect.any(String), language: 'en' }]);
  expect(JSON.stringify(jobs)).not.toContain(await readCode(phone));
  expect(JSON.stringify(jobs)).not.toContain(phone.slice(1));
});

test('at most three reset codes can be requested for a phone number in fifteen minutes, whether or not the number has an account', async () => {
  for (const phone of [(await newPerson()).phone, strangersNumber()]) {
    for (let index = 0; index < 3; index++) expect(await outcome(request(phone))).toBe('success');
    const code = await readCode(phone);
    const refused = await request(phone);
    expect(refused.status).toBe(429);
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(14 * 60);
    expect(retryAfter).toBeLessThanOrEqual(15 * 60);
    expect(await readCode(phone)).toBe(code);
  }
});

test('only three of twenty concurrent requests for a reset code for one phone number succeed', async () => {
  const { phone } = await newPerson();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(request(phone))));
  expect(outcomes.filter((one) => one === 'success')).toHaveLength(3);
});

test('a new request for a reset code replaces the old code', async () => {
  const { phone } = await newPerson();
  const old = await issueCode(phone);
  const { code } = await issueCode(phone);
  expect(await outcome(verify(phone, old.code === code ? wrong(code) : old.code))).toBe('400 invalid_code');
  expect(await outcome(verify(phone, code))).toBe('success');
});

test('a wrong reset code is refused, and the right code still works after four wrong codes', async () => {
  const { phone } = await newPerson();
  const { code } = await issueCode(phone);
  for (let by = 1; by <= 4; by++) expect(await outcome(verify(phone, wrong(code, by)))).toBe('400 invalid_code');
  expect(await outcome(verify(phone, code))).toBe('success');
});

test('a reset code stops working after five wrong attempts to verify the code or to set a password', async () => {
  const { phone } = await newPerson();
  const { code } = await issueCode(phone);
  for (let by = 1; by <= 3; by++) expect(await outcome(verify(phone, wrong(code, by)))).toBe('400 invalid_code');
  for (let by = 4; by <= 5; by++) expect(await outcome(reset(phone, wrong(code, by)))).toBe('400 invalid_code');
  expect(await outcome(verify(phone, code))).toBe('400 code_expired');
  expect(await outcome(reset(phone, code))).toBe('400 code_expired');
});

test('only five of twenty concurrent guesses at a reset code are checked', async () => {
  const { phone } = await newPerson();
  const { code } = await issueCode(phone);
  const guesses = Array.from({ length: 20 }, (_, index) => outcome(verify(phone, wrong(code, index + 1))));
  const outcomes = await Promise.all(guesses);
  expect(outcomes.filter((one) => one === '400 invalid_code')).toHaveLength(5);
  expect(outcomes.filter((one) => one === '400 code_expired')).toHaveLength(15);
  expect(await outcome(verify(phone, code))).toBe('400 code_expired');
  const row = await env.DB.prepare('select wrong_tries from reset_codes where number_key = ?')
    .bind(numberKey(phone))
    .first();
  expect(row).toEqual({ wrong_tries: 5 });
  const { key: subject } = allowanceOf(readConfig(env), 'reset_guess', `${phone}\0unknown`);
  const counter = await env.DB.prepare('select count from rate_counters where subject = ?').bind(subject).first();
  expect(counter).toEqual({ count: 5 });
});

test('one IP address can try at most fifty wrong reset codes a day for a phone number', async () => {
  const person = await newPerson();
  for (let round = 0; round < 10; round++) {
    const { code } = await issueCode(person.phone);
    const guesses = Array.from({ length: 5 }, (_, index) => outcome(verify(person.phone, wrong(code, index + 1))));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['400 invalid_code']));
  }
  const { code } = await issueCode(person.phone);
  const refused = await verify(person.phone, code);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(23 * 60 * 60);
  expect(await outcome(reset(person.phone, code))).toBe('429 too_many_requests');
  await env.DB.exec(`update rate_counters set window_ends_at = 1 where subject like 'reset_guess:%'`);
  expect(await outcome(reset(person.phone, code))).toBe('success');
});

test('if the queue refuses a new reset code, the response reports no success, and the previous reset code stays valid', async () => {
  const broken = { send: () => Promise.reject(new Error('Too Many Requests')) };
  const { phone } = await newPerson();
  const refuse = async (number: string) => {
    const answer = await ask({ WHATSAPP_QUEUE: broken }, '/api/auth/request-password-reset', {
      whatsapp_number: number,
    });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
  };
  await refuse(strangersNumber());
  const { code } = await issueCode(phone);
  expect(await outcome(verify(phone, wrong(code)))).toBe('400 invalid_code');
  await refuse(phone);
  const row = await env.DB.prepare('select wrong_tries from reset_codes where number_key = ?')
    .bind(numberKey(phone))
    .first();
  expect(row).toEqual({ wrong_tries: 1 });
  await refuse(phone);
  await clearExpired(openDb(env), Date.now());
  expect(await outcome(verify(phone, code))).toBe('success');
  expect(await outcome(request(phone))).toBe('success');
  const next = await readCode(phone);
  expect(await outcome(reset(phone, next === code ? wrong(code) : code))).toBe('400 invalid_code');
  expect(await outcome(reset(phone, next))).toBe('success');
});

test('even if the Worker dies at any point of a request for a reset code, a reset code that was sent is valid', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let deaths = 0;
  for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
    const { phone } = await newPerson();
    const { code: old } = await issueCode(phone);
    const jobs: WhatsappJob[] = [];
    const mortal = mortalEnv(dieAt, { ...env, WHATSAPP_QUEUE: collectInto(jobs) });
    const answer = await ask(mortal.env, '/api/auth/request-password-reset', { whatsapp_number: phone });
    if (mortal.isDead()) deaths += DEATH_STEP;
    expect([answer.status === 200, dieAt], `died at ${dieAt}`).toEqual([!mortal.isDead(), dieAt]);
    expect(jobs.length, `died at ${dieAt}`).toBeLessThanOrEqual(1);
    for (const job of jobs) await deliver(env, job);
    const [sent] = await env.DB.prepare(
      `select m.id from whatsapp_messages m join users u on u.id = m.recipient_id
       where u.id = (select user_id from phone_numbers where number = ?) and m.status = 'accepted'`,
    )
      .bind(phone)
      .raw<[string]>();
    expect(sent !== undefined, `died at ${dieAt}`).toBe(jobs.length === 1);
    const good = sent ? deriveCode(readConfig(env).keys.code, sent[0]) : old;
    const bad = sent ? old : wrong(old);
    if (good !== bad) expect(await outcome(verify(phone, bad)), `died at ${dieAt}`).toBe('400 invalid_code');
    expect(await outcome(verify(phone, good)), `died at ${dieAt}`).toBe('success');
  }
  // The Worker may die before and after each of three calls: count the request, queue the job, and store the new code.
  expect(deaths).toBeGreaterThanOrEqual(6);
});

test('an unverified reset code expires 300 seconds after its issue', async () => {
  const [early, late] = [await newPerson(), await newPerson()];
  const inTime = await issueCode(early.phone, { ageSeconds: 290 });
  const tooLate = await issueCode(late.phone, { ageSeconds: 300 });
  expect(await outcome(verify(early.phone, inTime.code))).toBe('success');
  expect(await outcome(verify(late.phone, tooLate.code))).toBe('400 code_expired');
  expect(await outcome(reset(late.phone, tooLate.code))).toBe('400 code_expired');
  expect(await outcome(verify(late.phone, wrong(tooLate.code)))).toBe('400 code_expired');
});

test('a verified reset code can set a password until ten minutes after its issue', async () => {
  const [early, late] = [await newPerson(), await newPerson()];
  for (const { phone, seconds, expected } of [
    { ...early, seconds: 590, expected: 'success' },
    { ...late, seconds: 600, expected: '400 code_expired' },
  ]) {
    const { code } = await issueCode(phone);
    expect(await outcome(verify(phone, code))).toBe('success');
    await ageCode(phone, seconds);
    expect(await outcome(verify(phone, code))).toBe('400 code_expired');
    expect(await outcome(reset(phone, code))).toBe(expected);
  }
});

test('a reset code sets a password once, even with ten concurrent resets', async () => {
  const person = await newPerson();
  const { code } = await issueCode(person.phone);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(reset(person.phone, code))));
  expect(outcomes.filter((one) => one === 'success')).toHaveLength(1);
  expect(await outcome(reset(person.phone, code, 'another good password'))).toBe('400 invalid_code');
  expect(await outcome(verify(person.phone, code))).toBe('400 invalid_code');
  const row = await env.DB.prepare('select token_version from users where id = ?').bind(person.id).first();
  expect(row).toEqual({ token_version: 2 });
});

test('only one of several concurrent password resets with the right code sets the password', async () => {
  const { id, phone } = await newPerson();
  const { code } = await issueCode(phone);
  expect(await outcome(verify(phone, code))).toBe('success');
  const guess = {
    number: phone,
    numberKey: numberKey(phone),
    codeDigest: digestResetCode(readConfig(env).keys.code, phone, code),
    requester: stranger(readConfig(env), phone, 'unknown', Date.now()),
    now: Date.now(),
  };
  const failures = strangerTurns(readConfig(env), 'mtu@example.com', 'unknown');
  const resets = ['one', 'two', 'three'].map((hash) =>
    setPassword(openDb(env), guess, { hash, signIns: failures, noticeId: crypto.randomUUID() }),
  );
  expect((await Promise.all(resets)).filter((reset) => reset !== null)).toEqual([id]);
});

test('a new password that is too common is refused, and does not count as a wrong attempt at the reset code', async () => {
  const { phone } = await newPerson();
  const { code } = await issueCode(phone);
  for (let index = 0; index < 6; index++) {
    const answer = await reset(phone, code, 'Password1');
    expect(answer.status).toBe(422);
    expect((await answer.json<ErrorBody>()).errors?.[0]?.field).toBe('new_password');
  }
  expect(await outcome(reset(phone, code))).toBe('success');
});

test('a password reset ends every session of the account', async () => {
  const person = await newPerson();
  const { code } = await issueCode(person.phone);
  expect((await call('GET', '/api/me', undefined, person)).status).toBe(200);
  await reset(person.phone, code);
  expect((await call('GET', '/api/me', undefined, person)).status).toBe(401);
  expect((await call('POST', '/api/realtime/ticket', undefined, person)).status).toBe(401);
});

test('a password reset unlocks an account that was locked after too many wrong passwords', async () => {
  const person = await newPerson();
  for (let index = 0; index < 21; index++) await signIn(person.email, 'not the password');
  expect((await signIn(person.email, person.password)).status).toBe(429);
  const { code } = await issueCode(person.phone);
  await reset(person.phone, code);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(200);
});

test('a password reset closes the open sockets of the account, and no other account’s sockets', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const sockets = [await signedInSocket(person), await signedInSocket(person), await signedInSocket(other)];
  const { code } = await issueCode(person.phone);
  await reset(person.phone, code);
  await vi.waitFor(() => expect(sockets.map(({ closed }) => closed)).toEqual([true, true, false]), { timeout: 5_000 });
});

test('sockets that could not be closed during a password reset are closed by the scheduled job', async () => {
  const person = await newPerson();
  const socket = await signedInSocket(person);
  const { code } = await issueCode(person.phone);
  const unreachable = {
    getByName: () => ({ endSessions: () => Promise.reject(new Error('Durable Object is overloaded')) }),
  };
  const body = { whatsapp_number: person.phone, verification_code: code, new_password: NEW_PASSWORD };
  expect((await ask({ USER_CHANNEL: unreachable }, '/api/auth/reset-password', body)).status).toBe(200);
  expect(socket.closed).toBe(false);
  await finishClosingSockets(env, openDb(env), Date.now() + 60_000);
  await vi.waitFor(() => expect(socket.closed).toBe(true), { timeout: 5_000 });
});

test('the scheduled job deletes reset codes that can no longer be used', async () => {
  const { phone } = await newPerson();
  await issueCode(phone, { ageSeconds: 2 * 24 * 60 * 60 });
  await clearExpired(openDb(env), Date.now());
  expect(
    await env.DB.prepare('select 1 from reset_codes where number_key = ?').bind(numberKey(phone)).first(),
  ).toBeNull();
});

test('/api/dev/whatsapp-messages exists only in local development, where the app sends no real WhatsApp messages', async () => {
  const ctx = createExecutionContext();
  const cloud = {
    ...env,
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'token',
  };
  const path = `${ORIGIN}/api/dev/whatsapp-messages`;
  expect((await app.fetch(new Request(path), cloud, ctx)).status).toBe(404);
  expect((await app.fetch(new Request(path), { ...env }, ctx)).status).toBe(200);
});

/** Signs the person in, and opens a WebSocket with the new session. */
async function signedInSocket(person: Person) {
  const { access_token } = await (await signIn(person.email, person.password)).json<{ access_token: string }>();
  return openSocket({ id: person.id, token: access_token });
}

async function openSocket(person: { id: string; token: string }) {
  const { ticket } = await (await call('POST', '/api/realtime/ticket', undefined, person)).json<{ ticket: string }>();
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': `patikana.v1, ticket.${ticket}` };
  const { webSocket } = await call('GET', `/ws/${person.id}`, undefined, { headers });
  const state = { closed: false };
  webSocket?.accept();
  webSocket?.addEventListener('close', () => {
    state.closed = true;
  });
  return state;
}

/** Wraps the real database. Adds the statements of each round trip to `trips`, without their values. */
function observed(trips: string[]): D1Database {
  const texts = new WeakMap<D1PreparedStatement, string>();
  const withSession = (...args: []) => {
    const session = (env as Env).DB.withSession(...args);
    const prepare = (query: string) => {
      const statement = session.prepare(query);
      const bind = (...values: unknown[]) => {
        const bound = statement.bind(...values);
        texts.set(bound, query);
        return bound;
      };
      return { bind };
    };
    const batch = (statements: D1PreparedStatement[]) => {
      trips.push(statements.map((statement) => texts.get(statement)).join('; '));
      return session.batch(statements);
    };
    return { prepare, batch };
  };
  return { withSession } as unknown as D1Database;
}
