import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import commonPasswords from '#worker/accounts/common-passwords.txt';
import { call, signIn } from './support/api.ts';

const EMPTY = { username: '', email: '', whatsapp_number: '', password: '' };
let people = 0;

/** Somebody who could register, and is like nobody else. */
function somebody(overrides: Record<string, unknown> = {}) {
  const number = String(100_000_000 + ++people);
  const registration = {
    username: `mtu${number}`,
    email: `mtu${number}@example.com`,
    whatsapp_number: `+254${number}`,
  };
  return { ...registration, password: 'tumaini la kesho', ...overrides };
}

async function register(overrides: Record<string, unknown> = {}, language?: string) {
  const answer = await call('POST', '/api/users', somebody(overrides), language ? { language } : {});
  return { status: answer.status, body: await answer.json<ErrorBody>() };
}

test('registering answers with who one is now, and nothing of the password or the number', async () => {
  const person = somebody({ username: "Asha Ng'ong'o 😀", email: 'Asha.Mushi@Example.com' });
  const answer = await call('POST', '/api/users', person);
  expect(answer.status).toBe(201);
  const body = await answer.json<Record<string, unknown>>();
  expect(body).toEqual({ id: expect.any(String), username: "Asha Ng'ong'o 😀", email: 'Asha.Mushi@Example.com' });
});

test('a password is stored as scrypt with its parameters, and each with its own salt', async () => {
  const [one, other] = [somebody(), somebody()];
  await call('POST', '/api/users', one);
  await call('POST', '/api/users', other);
  const { results } = await env.DB.prepare('select password_hash from users where email in (?, ?)')
    .bind(one.email, other.email)
    .all<{ password_hash: string }>();
  for (const { password_hash } of results) {
    expect(password_hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(password_hash).not.toContain('tumaini');
  }
  expect(new Set(results.map((row) => row.password_hash)).size).toBe(2);
});

test.each([
  ['0712 345 001', '+255712345001'],
  ['+255 (712) 345-002', '+255712345002'],
  ['254712345003', '+254712345003'],
  ['\u202a+255712345004\u202c', '+255712345004'],
  ['+1234567', '+1234567'],
  ['+123456789012345', '+123456789012345'],
])('the number %s is stored as %s', async (typed, stored) => {
  const person = somebody({ whatsapp_number: typed });
  expect((await call('POST', '/api/users', person)).status).toBe(201);
  const row = await env.DB.prepare(
    'select n.number from phone_numbers n join users u on u.id = n.user_id where u.email = ?',
  )
    .bind(person.email)
    .first();
  expect(row).toEqual({ number: stored });
});

test.each(['12', '+123456', '+1234567890123456', 'abc', '+', '+255 712 ABC', '++255712345678', '07123456\u0000'])(
  'the number %j is refused',
  async (whatsapp_number) => {
    const { status, body } = await register({ whatsapp_number });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ field: 'whatsapp_number', message: 'Invalid phone number' }]);
  },
);

test.each([
  ['en', 'Username is required', 'Phone number is required'],
  ['sw', 'Jina la mtumiaji linahitajika', 'Namba ya simu inahitajika'],
])('an empty registration names every field in %s', async (language, username, phone) => {
  const { status, body } = await register(EMPTY, language);
  expect(status).toBe(422);
  expect(body.code).toBe('validation_failed');
  expect(body.errors?.map((error) => error.field)).toEqual(['username', 'email', 'whatsapp_number', 'password']);
  expect(body.errors?.[0]?.message).toBe(username);
  expect(body.errors?.[2]?.message).toBe(phone);
  expect(body.detail).toBe(username);
});

test.each([
  [{ username: 'x'.repeat(61) }, 'username', 'This is too long: at most 60 characters.'],
  [{ username: 'a\u0007b' }, 'username', 'This contains characters that are not allowed.'],
  [{ username: 7 }, 'username', 'Username is required'],
  [{ email: 'asha' }, 'email', 'Invalid email address'],
  [{ email: 'a b@example.com' }, 'email', 'Invalid email address'],
  [{ email: 'a\u0000b@example.com' }, 'email', 'Invalid email address'],
  [{ email: 'asha@example.com\u200b' }, 'email', 'Invalid email address'],
  [{ email: '\ud800@example.com' }, 'email', 'Invalid email address'],
  [{ email: `${'x'.repeat(250)}@example.com` }, 'email', 'This is too long: at most 254 characters.'],
  [{ email: null }, 'email', 'Email is required'],
  [{ password: 'short77' }, 'password', 'Password must be at least 8 characters long.'],
  [{ password: 'x'.repeat(129) }, 'password', 'Password must be at most 128 characters long.'],
  [{ password: undefined }, 'password', 'Password is required'],
])('a registration with %j is refused', async (overrides, field, message) => {
  const { status, body } = await register(overrides);
  expect(status).toBe(422);
  expect(body.errors).toEqual([{ field, message }]);
});

test('a password of 8 characters and one of 128, with spaces and emoji, open their accounts', async () => {
  for (const password of ['Ndovu 7!', `${'🐘 '.repeat(42)}xy`]) {
    const person = somebody({ password });
    expect((await call('POST', '/api/users', person)).status).toBe(201);
    expect((await signIn(person.email, password)).status).toBe(200);
  }
});

test('none of the 3,000 most common passwords is accepted, in any case', async () => {
  const list = commonPasswords.split('\n').filter(Boolean);
  expect(list.length).toBe(3_000);
  expect(list.filter((password) => password.length < 8)).toEqual([]);
  for (const password of [list[0], list[1_500], list[2_999], 'PassWord1', 'QWERTYUIOP']) {
    const { status, body } = await register({ password });
    expect(status, password).toBe(422);
    const message = 'This password is too common and easy to guess. Please choose another.';
    expect(body.errors).toEqual([{ field: 'password', message }]);
  }
  expect((await register({ password: list[7] }, 'sw')).body.errors?.[0]?.message).toMatch(/^Nenosiri hili/);
});

test('one account an email, whatever its capitals, and one a number, however it is written', async () => {
  const first = somebody({ whatsapp_number: '0788000111' });
  await call('POST', '/api/users', first);
  const sameEmail = await register({ email: first.email.toUpperCase() });
  expect([sameEmail.status, sameEmail.body.code]).toEqual([409, 'email_taken']);
  const sameNumber = await register({ whatsapp_number: '+255 788 000 111' }, 'sw');
  expect([sameNumber.status, sameNumber.body.code]).toEqual([409, 'phone_taken']);
  expect(sameNumber.body.detail).toBe('Tayari kuna akaunti yenye namba hii ya simu.');
});

test('of registrations of one email at once, one wins', async () => {
  const email = 'mara-moja@example.com';
  const answers = await Promise.all([1, 2, 3, 4].map(() => register({ email })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});
