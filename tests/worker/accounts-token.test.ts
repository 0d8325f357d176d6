import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { toSessionKeys } from '#worker/identity/session-keys.ts';
import { signSessionToken, signTicket, verifySessionToken, verifyTicket } from '#worker/identity/session-token.ts';
import { call, newPerson, type Person, signIn } from './support/api.ts';

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

/** A token as the Worker would sign it, but for what the test changes. */
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

test('a token names its issuer, audience, kind, person, version and end, and no more of the person', async () => {
  const person = await newPerson();
  expect(decodeProtectedHeader(person.token)).toEqual({ alg: 'HS256', typ: 'session+jwt', kid: KEYS[0].id });
  const { iat, exp, jti, sid, ...claims } = decodeJwt(person.token);
  expect(claims).toEqual({ iss: 'patikana', aud: 'patikana-api', sub: person.id, typ: 'session+jwt', tv: 1 });
  expect([jti, sid]).toEqual([expect.any(String), expect.any(String)]);
  expect((exp ?? 0) - (iat ?? 0)).toBe(30 * 24 * 60 * 60);
});

test('a token signed as ours is accepted, so that the refusals below have but one reason each', async () => {
  const person = await newPerson();
  expect((await call('GET', '/api/me', undefined, { token: await forge(person) })).status).toBe(200);
});

test('forged, expired and foreign tokens are refused on every route', async () => {
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

test.each(['Basic abc', 'Bearer', 'Bearer ', 'Bearer a b', 'Token x'])('the header %j is refused', async (header) => {
  const answer = await call('GET', '/api/posts', undefined, { headers: { Authorization: header } });
  expect(answer.status).toBe(401);
});

test('the scheme may be written in any case', async () => {
  const { token } = await newPerson();
  const answer = await call('GET', '/api/me', undefined, { headers: { Authorization: `bearer ${token}` } });
  expect(answer.status).toBe(200);
});

test('a dead token keeps nobody from signing in, registering or saying what they think', async () => {
  const person = await newPerson();
  const dead = { Authorization: `Bearer ${await forge(person, { exp: Math.floor(Date.now() / 1000) - 60 })}` };
  expect((await signIn(person.email, person.password, dead)).status).toBe(200);
  expect((await call('POST', '/api/users', {}, { headers: dead })).status).toBe(422);
  expect((await call('POST', '/api/feedback', {}, { headers: dead })).status).toBe(422);
});

test('a ticket is no session and a session no ticket', async () => {
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

test('while a secret is being replaced both sign people in, and once it has been only the new one', async () => {
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

test('raising the version revokes every token before it', async () => {
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

test('the token of an account that is gone is refused', async () => {
  const person = await newPerson();
  await env.DB.batch([
    env.DB.prepare('delete from phone_numbers where user_id = ?').bind(person.id),
    env.DB.prepare('delete from users where id = ?').bind(person.id),
  ]);
  await expectRefused(person.token, 'a deleted account');
});
