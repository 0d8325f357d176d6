import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { call, newPerson, ORIGIN, signIn } from './support/api.ts';
import { guessAtOnce, knownDevice, times } from './support/devices.ts';

test('the email and the password open a session that says who one is', async () => {
  const person = await newPerson();
  const answer = await signIn(`  ${person.email.toUpperCase()} `, person.password);
  expect(answer.status).toBe(200);
  const session = await answer.json<Session>();
  expect(session).toEqual({ access_token: expect.any(String), token_type: 'bearer', user_id: person.id });
  const me = await call('GET', '/api/me', undefined, { token: session.access_token });
  const { id, username, phone } = person;
  expect(await me.json()).toMatchObject({ id, username, whatsapp_number: phone, is_platform_admin: false });
});

test('a form with files opens a session too', async () => {
  const person = await newPerson();
  const body = new FormData();
  body.set('username', person.email);
  body.set('password', person.password);
  const answer = await exports.default.fetch(new Request(`${ORIGIN}/api/login`, { method: 'POST', body }));
  expect(answer.status).toBe(200);
});

test('a composed and a decomposed letter in a password are the same', async () => {
  const email = 'rene@example.com';
  const registration = { username: 'René', email, whatsapp_number: '+255799000001', password: 'caf\u00e9 ya leo' };
  await call('POST', '/api/users', registration);
  expect((await signIn(email, 'cafe\u0301 ya leo')).status).toBe(200);
});

test('a wrong password and an unknown email answer alike, in both languages', async () => {
  const person = await newPerson();
  for (const [language, detail] of [
    ['en', 'Incorrect email or password.'],
    ['sw', 'Barua pepe au nenosiri si sahihi.'],
  ] as const) {
    for (const email of [person.email, 'hakuna@example.com']) {
      const answer = await signIn(email, 'si hili nenosiri', { 'Accept-Language': language });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(await answer.json()).toEqual({ code: 'invalid_credentials', detail });
    }
  }
});

test('a hash with weaker parameters still opens its account, and is renewed by it', async () => {
  const person = await newPerson();
  const { scryptSync, randomBytes } = await import('node:crypto');
  const salt = randomBytes(16);
  const key = scryptSync(person.password, salt, 32, { N: 1024, r: 8, p: 1 });
  const weak = `scrypt$1024$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;
  await env.DB.prepare('update users set password_hash = ? where id = ?').bind(weak, person.id).run();
  expect((await signIn(person.email, person.password)).status).toBe(200);
  const row = await env.DB.prepare('select password_hash from users where id = ?').bind(person.id).first();
  expect(row?.password_hash).toMatch(/^scrypt\$32768\$8\$3\$/);
  expect((await signIn(person.email, person.password)).status).toBe(200);
});

test.each([
  [{}, ['username', 'password']],
  [{ username: 'a@b.co' }, ['password']],
  [{ username: '  ', password: 'x' }, ['username']],
])('a sign-in with %j is refused', async (fields: Record<string, string>, wrong) => {
  const body = new URLSearchParams(fields);
  const answer = await exports.default.fetch(new Request(`${ORIGIN}/api/login`, { method: 'POST', body }));
  expect(answer.status).toBe(422);
  expect((await answer.json<ErrorBody>()).errors?.map((error) => error.field)).toEqual(wrong);
});

test('a sign-in as JSON is of the wrong content type', async () => {
  const answer = await call('POST', '/api/login', { username: 'a@b.co', password: 'x' });
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([415, 'unsupported_media_type']);
});

test('after twenty failures of strangers an account waits, even for the right password, and says how long', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  expect(await guessAtOnce(person.email, 22)).toEqual([...times(20, 401), 429, 429]);
  const locked = await signIn(person.email.toUpperCase(), person.password);
  expect(locked.status).toBe(429);
  expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(Number(locked.headers.get('Retry-After'))).toBeLessThanOrEqual(30);
  expect((await locked.json<ErrorBody>()).code).toBe('too_many_requests');
  expect((await signIn(other.email, other.password)).status).toBe(200);
});

test('an unknown email is locked like a known one', async () => {
  const email = 'mzimu@example.com';
  expect(await guessAtOnce(email, 1)).toEqual([401]);
  await env.DB.prepare('update rate_counters set count = 149 where subject = ?')
    .bind(allowanceOf(readConfig(env), 'sign_in_strangers', email).key)
    .run();
  expect(await guessAtOnce(email, 3)).toEqual([401, 429, 429]);
});

test("a right password forgets the device's failures before it", async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  expect(await guessAtOnce(person.email, 9, device)).toEqual(times(9, 401));
  expect((await signIn(person.email, person.password, device)).status).toBe(200);
  expect(await guessAtOnce(person.email, 2, device)).toEqual([401, 401]);
});

test('when the windows have passed the account opens again', async () => {
  const person = await newPerson();
  await guessAtOnce(person.email, 21);
  await env.DB.prepare("update rate_counters set window_ends_at = 1 where subject like 'sign_in_%'").run();
  expect((await signIn(person.email, person.password)).status).toBe(200);
});

test('a whole school signs in behind one address', async () => {
  const headers = { 'CF-Connecting-IP': '196.41.0.7' };
  const people = await Promise.all(Array.from({ length: 12 }, () => newPerson()));
  const answers = await Promise.all(people.map(({ email, password }) => signIn(email, password, headers)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});

test('what is counted is stored neither as an email nor as an address', async () => {
  await signIn('siri-yangu@example.com', 'x', { 'CF-Connecting-IP': '196.41.0.9' });
  const { results } = await env.DB.prepare('select subject from rate_counters').all<{ subject: string }>();
  const subjects = results.map((row) => row.subject).join('\n');
  expect(subjects).not.toContain('siri-yangu');
  expect(subjects).not.toContain('196.41');
});
