import { env, exports } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { call, newPerson, ORIGIN, type Person, signIn } from '#tests/worker/support/api.ts';
import { guessAtOnce, knownDevice, times } from '#tests/worker/support/people.ts';
import commonPasswords from '#worker/accounts/common-passwords.txt';
import { isHashOutdated } from '#worker/accounts/password.ts';
import { readConfig } from '#worker/env.ts';
import {
  signSessionToken,
  signTicket,
  toSessionKeys,
  verifySessionToken,
  verifyTicket,
} from '#worker/identity/session-token.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';

const EMPTY = { username: '', email: '', whatsapp_number: '', password: '' };
let people = 0;

/** A unique, valid registration. */
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

test('registering returns the person’s id and name, without the password or phone number', async () => {
  const person = somebody({ username: "Asha Ng'ong'o 😀", email: 'Asha.Mushi@Example.com' });
  const answer = await call('POST', '/api/users', person);
  expect(answer.status).toBe(201);
  const body = await answer.json<Record<string, unknown>>();
  expect(body).toEqual({ id: expect.any(String), username: "Asha Ng'ong'o 😀", email: 'Asha.Mushi@Example.com' });
});

test('a password is stored as a scrypt hash with its parameters and its own salt', async () => {
  const [one, other] = [somebody(), somebody()];
  await call('POST', '/api/users', one);
  await call('POST', '/api/users', other);
  const { results } = await env.DB.prepare('select password_hash from users where email in (?, ?)')
    .bind(one.email, other.email)
    .all<{ password_hash: string }>();
  for (const { password_hash } of results) {
    expect(isHashOutdated(password_hash)).toBe(false);
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
])('the phone number %s of a registration is stored as %s', async (typed, stored) => {
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
  'a registration with the phone number %j is refused',
  async (whatsapp_number) => {
    const { status, body } = await register({ whatsapp_number });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ field: 'whatsapp_number', message: 'Invalid phone number' }]);
  },
);

test.each([
  ['en', 'Username is required', 'Phone number is required'],
  ['sw', 'Jina la mtumiaji linahitajika', 'Namba ya simu inahitajika'],
])('an empty registration gets an error for every field, in the language “%s”', async (language, username, phone) => {
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
])('a registration with the invalid value %j is refused', async (overrides, field, message) => {
  const { status, body } = await register(overrides);
  expect(status).toBe(422);
  expect(body.errors).toEqual([{ field, message }]);
});

test('passwords of 8 and of 128 characters, with spaces and emoji, are accepted', async () => {
  for (const password of ['Ndovu 7!', `${'🐘 '.repeat(42)}xy`]) {
    const person = somebody({ password });
    expect((await call('POST', '/api/users', person)).status).toBe(201);
    expect((await signIn(person.email, password)).status).toBe(200);
  }
});

test('none of the 3,000 most common passwords is accepted, in upper or lower case', async () => {
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

test('an e-mail and a phone number can each belong to only one account, however they are typed', async () => {
  const first = somebody({ whatsapp_number: '0788000111' });
  await call('POST', '/api/users', first);
  const sameEmail = await register({ email: first.email.toUpperCase() });
  expect([sameEmail.status, sameEmail.body.code]).toEqual([409, 'email_taken']);
  const sameNumber = await register({ whatsapp_number: '+255 788 000 111' }, 'sw');
  expect([sameNumber.status, sameNumber.body.code]).toEqual([409, 'phone_taken']);
  expect(sameNumber.body.detail).toBe('Tayari kuna akaunti yenye namba hii ya simu.');
});

test('only one of several concurrent registrations with the same e-mail succeeds', async () => {
  const email = 'mara-moja@example.com';
  const answers = await Promise.all([1, 2, 3, 4].map(() => register({ email })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test('a sign-in with e-mail and password returns a session with the person’s id', async () => {
  const person = await newPerson();
  const answer = await signIn(`  ${person.email.toUpperCase()} `, person.password);
  expect(answer.status).toBe(200);
  const session = await answer.json<Session>();
  expect(session).toEqual({ access_token: expect.any(String), token_type: 'bearer', user_id: person.id });
  const me = await call('GET', '/api/me', undefined, { token: session.access_token });
  const { id, username, phone } = person;
  expect(await me.json()).toMatchObject({ id, username, whatsapp_number: phone, is_platform_admin: false });
});

test('a sign-in sent as a multipart form opens a session', async () => {
  const person = await newPerson();
  const body = new FormData();
  body.set('username', person.email);
  body.set('password', person.password);
  const answer = await exports.default.fetch(new Request(`${ORIGIN}/api/login`, { method: 'POST', body }));
  expect(answer.status).toBe(200);
});

test('composed and decomposed accents in a password count as equal', async () => {
  const email = 'rene@example.com';
  const registration = { username: 'René', email, whatsapp_number: '+255799000001', password: 'caf\u00e9 ya leo' };
  await call('POST', '/api/users', registration);
  expect((await signIn(email, 'cafe\u0301 ya leo')).status).toBe(200);
});

test('a wrong password and an unknown e-mail get the same response, in both languages', async () => {
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

test('a sign-in accepts a password hash with weaker parameters, and replaces it with a stronger hash', async () => {
  const person = await newPerson();
  const { scryptSync, randomBytes } = await import('node:crypto');
  const salt = randomBytes(16);
  const key = scryptSync(person.password, salt, 32, { N: 1024, r: 8, p: 1 });
  const weak = `scrypt$1024$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;
  await env.DB.prepare('update users set password_hash = ? where id = ?').bind(weak, person.id).run();
  expect((await signIn(person.email, person.password)).status).toBe(200);
  const row = await env.DB.prepare('select password_hash from users where id = ?').bind(person.id).first();
  expect(isHashOutdated(String(row?.password_hash))).toBe(false);
  expect((await signIn(person.email, person.password)).status).toBe(200);
});

test.each([
  [{}, ['username', 'password']],
  [{ username: 'a@b.co' }, ['password']],
  [{ username: '  ', password: 'x' }, ['username']],
])('a sign-in with only the fields %j is refused', async (fields: Record<string, string>, wrong) => {
  const body = new URLSearchParams(fields);
  const answer = await exports.default.fetch(new Request(`${ORIGIN}/api/login`, { method: 'POST', body }));
  expect(answer.status).toBe(422);
  expect((await answer.json<ErrorBody>()).errors?.map((error) => error.field)).toEqual(wrong);
});

test('a sign-in as JSON is refused because of its content type', async () => {
  const answer = await call('POST', '/api/login', { username: 'a@b.co', password: 'x' });
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([415, 'unsupported_media_type']);
});

test('after twenty failed sign-ins to an account from unknown devices, unknown devices must wait, even with the right password', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  expect(await guessAtOnce(person.email, 22)).toEqual([...times(20, 401), 429, 429]);
  const locked = await signIn(person.email.toUpperCase(), person.password);
  expect(locked.status).toBe(429);
  expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(Number(locked.headers.get('Retry-After'))).toBeLessThanOrEqual(30);
  expect((await locked.json<ErrorBody>()).code).toBe('too_many_requests');
  expect((await signIn(other.email, other.password)).status).toBe(200);
});

test('failed sign-ins lock an unknown e-mail like a known one, so that nobody learns which e-mails have accounts', async () => {
  const email = 'mzimu@example.com';
  expect(await guessAtOnce(email, 1)).toEqual([401]);
  await env.DB.prepare('update rate_counters set count = 149 where subject = ?')
    .bind(allowanceOf(readConfig(env), 'sign_in_strangers', email).key)
    .run();
  expect(await guessAtOnce(email, 3)).toEqual([401, 429, 429]);
});

test('a sign-in with the right password resets the device’s count of failed sign-ins', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  expect(await guessAtOnce(person.email, 9, device)).toEqual(times(9, 401));
  expect((await signIn(person.email, person.password, device)).status).toBe(200);
  expect(await guessAtOnce(person.email, 2, device)).toEqual([401, 401]);
});

test('an account locked by failed sign-ins accepts sign-ins again when the time windows of the sign-in limits have ended', async () => {
  const person = await newPerson();
  await guessAtOnce(person.email, 21);
  await env.DB.prepare("update rate_counters set window_ends_at = 1 where subject like 'sign_in_%'").run();
  expect((await signIn(person.email, person.password)).status).toBe(200);
});

test('many people can sign in from one IP address', async () => {
  const headers = { 'CF-Connecting-IP': '196.41.0.7' };
  const people = await Promise.all(Array.from({ length: 12 }, () => newPerson()));
  const answers = await Promise.all(people.map(({ email, password }) => signIn(email, password, headers)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});

test('the counters of failed sign-ins contain no e-mail and no IP address', async () => {
  await signIn('siri-yangu@example.com', 'x', { 'CF-Connecting-IP': '196.41.0.9' });
  const { results } = await env.DB.prepare('select subject from rate_counters').all<{ subject: string }>();
  const subjects = results.map((row) => row.subject).join('\n');
  expect(subjects).not.toContain('siri-yangu');
  expect(subjects).not.toContain('196.41');
});

const SECRET = 'a-secret-that-only-the-tests-know-0123456789';
const SESSION_KEY = keyOf(SECRET, 'session');
const KEYS = toSessionKeys(SECRET, null);

function keyOf(secret: string, kind: string): Uint8Array {
  return new Uint8Array(createHmac('sha256', secret).update(`jwt:${kind}`).digest());
}

type Claims = {
  typ?: string;
  iss?: string;
  aud?: string;
  exp?: string | number;
  tv?: unknown;
  sub?: unknown;
  jti?: unknown;
  sid?: unknown;
  kid?: string | undefined;
};

/** A token signed like the Worker's, with the test's changes. */
async function forge(person: Person, claims: Claims = {}, key: Uint8Array = SESSION_KEY, alg = 'HS256') {
  const { typ = 'session+jwt', iss = 'patikana', aud = 'patikana-api', exp = '1h' } = claims;
  const { kid, ...changed } = { kid: KEYS[0].id, ...claims };
  const own = { typ, tv: 1, sub: person.id, jti: 'x', sid: 'y', ...changed, exp: undefined } as JWTPayload;
  const token = new SignJWT(own).setProtectedHeader({ alg, typ, kid }).setIssuer(iss).setAudience(aud);
  return token.setIssuedAt().setExpirationTime(exp).sign(key);
}

async function expectRefused(token: string, label: string) {
  for (const [method, path] of [
    ['GET', '/api/me'],
    ['GET', '/api/posts'],
    ['DELETE', '/api/posts/x'],
  ] as const) {
    const answer = await call(method, path, undefined, { token });
    expect(answer.status, `${label}: ${method} ${path}`).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect((await answer.json<ErrorBody>()).code).toBe('unauthorized');
  }
}

test('a session token contains its issuer, audience, type, version, expiry and the user’s id, but no other data about the user', async () => {
  const person = await newPerson();
  expect(decodeProtectedHeader(person.token)).toEqual({ alg: 'HS256', typ: 'session+jwt', kid: KEYS[0].id });
  const { iat, exp, jti, sid, ...claims } = decodeJwt(person.token);
  expect(claims).toEqual({ iss: 'patikana', aud: 'patikana-api', sub: person.id, typ: 'session+jwt', tv: 1 });
  expect([jti, sid]).toEqual([expect.any(String), expect.any(String)]);
  expect((exp ?? 0) - (iat ?? 0)).toBe(30 * 24 * 60 * 60);
});

test('a session token made by this test, with the right key and the right JWT claims, is accepted', async () => {
  const person = await newPerson();
  expect((await call('GET', '/api/me', undefined, { token: await forge(person) })).status).toBe(200);
});

test('forged and expired session tokens, and tokens made for another purpose, are refused on every route', async () => {
  const person = await newPerson();
  const longKey = new Uint8Array(64).fill(7);
  const [head, body, signature] = person.token.split('.') as [string, string, string];
  const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
  const cases: Record<string, string> = {
    'another secret': await forge(person, {}, keyOf('another-secret-that-is-long-enough-0123', 'session')),
    'the bare secret': await forge(person, {}, new TextEncoder().encode(SECRET)),
    'the key of tickets': await forge(person, {}, keyOf(SECRET, 'ticket')),
    expired: await forge(person, { exp: Math.floor(Date.now() / 1000) - 60 }),
    'another issuer': await forge(person, { iss: 'somebody' }),
    'another audience': await forge(person, { aud: 'patikana-realtime' }),
    'another kind': await forge(person, { typ: 'ticket+jwt' }),
    'another algorithm': await forge(person, {}, longKey, 'HS512'),
    'no version': await forge(person, { tv: 'one' }),
    nobody: await forge(person, { sub: undefined }),
    'an empty person': await forge(person, { sub: '' }),
    'a number for a person': await forge(person, { sub: 7 }),
    'an object for a person': await forge(person, { sub: { id: person.id } }),
    'a list for a person': await forge(person, { sub: [person.id] }),
    'a number for an id': await forge(person, { jti: 7 }),
    'no session': await forge(person, { sid: undefined }),
    'an empty session': await forge(person, { sid: '' }),
    'no key id': await forge(person, { kid: undefined }),
    'alg none': `${encode({ alg: 'none', typ: 'session+jwt' })}.${body}.`,
    'alg none with the signature': `${encode({ alg: 'none', typ: 'session+jwt' })}.${body}.${signature}`,
    'a changed body': `${head}.${encode({ ...decodeJwt(person.token), sub: 'somebody-else' })}.${signature}`,
    'no signature': `${head}.${body}.`,
    'no token': 'not-a-token',
  };
  for (const [label, token] of Object.entries(cases)) await expectRefused(token, label);
});

test.each(['Basic abc', 'Bearer', 'Bearer ', 'Bearer a b', 'Token x'])(
  'the Authorization header %j is refused',
  async (header) => {
    const answer = await call('GET', '/api/posts', undefined, { headers: { Authorization: header } });
    expect(answer.status).toBe(401);
  },
);

test('the scheme “Bearer” of the Authorization header is accepted in upper and lower case', async () => {
  const { token } = await newPerson();
  const answer = await call('GET', '/api/me', undefined, { headers: { Authorization: `bearer ${token}` } });
  expect(answer.status).toBe(200);
});

test('an invalid session token does not prevent signing in, registering or sending feedback', async () => {
  const person = await newPerson();
  const dead = { Authorization: `Bearer ${await forge(person, { exp: Math.floor(Date.now() / 1000) - 60 })}` };
  expect((await signIn(person.email, person.password, dead)).status).toBe(200);
  expect((await call('POST', '/api/users', {}, { headers: dead })).status).toBe(422);
  expect((await call('POST', '/api/feedback', {}, { headers: dead })).status).toBe(422);
});

test('a WebSocket ticket is not accepted as a session token, nor a session token as a ticket', async () => {
  const person = await newPerson();
  const viewer = {
    userId: person.id,
    tokenVersion: 1,
    sessionId: 'hii',
    sessionEndsAt: (Math.floor(Date.now() / 1000) + 60) * 1000,
  };
  const ticket = await signTicket(KEYS, viewer, 30);
  await expectRefused(ticket, 'a ticket');
  expect(await verifySessionToken(KEYS, ticket)).toBeNull();
  expect(await verifyTicket(KEYS, person.token)).toBeNull();
  expect(await verifyTicket(KEYS, ticket)).toMatchObject(viewer);
});

test('while the key that signs session tokens is being replaced, both keys are accepted, and afterwards only the new key', async () => {
  const viewer = { userId: crypto.randomUUID(), tokenVersion: 1, sessionId: crypto.randomUUID() };
  const [old, next] = ['o'.repeat(40), 'n'.repeat(40)];
  const earlier = await signSessionToken(toSessionKeys(old, null), viewer);
  const later = await signSessionToken(toSessionKeys(next, old), viewer);
  expect(await verifySessionToken(toSessionKeys(next, old), earlier)).toMatchObject(viewer);
  expect(await verifySessionToken(toSessionKeys(next, old), later)).toMatchObject(viewer);
  expect(await verifySessionToken(toSessionKeys(next, null), later)).toMatchObject(viewer);
  expect(await verifySessionToken(toSessionKeys(next, null), earlier)).toBeNull();
  expect(decodeProtectedHeader(earlier).kid).not.toBe(decodeProtectedHeader(later).kid);
});

test('raising an account’s token version revokes all its earlier session tokens', async () => {
  const person = await newPerson();
  await env.DB.prepare('update users set token_version = token_version + 1 where id = ?').bind(person.id).run();
  for (const [method, path, body] of [
    ['GET', '/api/me'],
    ['GET', '/api/posts'],
    ['GET', '/api/posts?search=simu'],
    ['GET', '/api/posts/by-owner'],
    ['GET', '/api/posts/x'],
    ['DELETE', '/api/posts/x'],
    ['PATCH', '/api/posts/x/found'],
    ['POST', '/api/posts', { title: 'Simu', location: 'Moshi', phone_number: '0712345678' }],
    ['PUT', '/api/posts/x', { title: 'Simu', location: 'Moshi', phone_number: '0712345678' }],
    ['POST', '/api/realtime/ticket'],
  ] as const) {
    const answer = await call(method, path, body, { token: person.token });
    expect([method, path, answer.status]).toEqual([method, path, 401]);
  }
});

test('the session token of a deleted account is refused', async () => {
  const person = await newPerson();
  await env.DB.batch([
    env.DB.prepare('delete from phone_numbers where user_id = ?').bind(person.id),
    env.DB.prepare('delete from users where id = ?').bind(person.id),
  ]);
  await expectRefused(person.token, 'a deleted account');
});
