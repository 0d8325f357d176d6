import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { toSessionKeys } from '#worker/identity/session-keys.ts';
import { signSessionToken, signTicket, verifySessionToken, verifyTicket } from '#worker/identity/session-token.ts';

const SECRET = 'a-secret-that-only-the-tests-know-0123456789';
const KEYS = toSessionKeys(SECRET, null);
function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function holder(sessionEndsInSeconds: number) {
  const sessionEndsAt = (nowInSeconds() + sessionEndsInSeconds) * 1000;
  return { userId: 'mtu', tokenVersion: 3, sessionId: 'kikao', sessionEndsAt };
}

/** Signed with the session's key, as only who has the secret can. */
function forge(claims: Record<string, unknown>, { alg = 'HS256', typ = 'session+jwt' } = {}) {
  const key = new Uint8Array(createHmac('sha256', SECRET).update('jwt:session').digest());
  return new SignJWT({
    iss: 'patikana',
    aud: 'patikana-api',
    sub: 'mtu',
    jti: 'tokeni',
    tv: 3,
    sid: 'kikao',
    ...claims,
  })
    .setProtectedHeader({ alg, typ, kid: KEYS[0].id })
    .setExpirationTime('1h')
    .sign(key);
}

test('a session ends thirty days after its token was signed', async () => {
  const before = nowInSeconds();
  const token = await signSessionToken(KEYS, { userId: 'mtu', tokenVersion: 3, sessionId: 'kikao' });
  const viewer = await verifySessionToken(KEYS, token);
  const lifetimeSeconds = (viewer?.sessionEndsAt ?? 0) / 1000 - before;
  expect(lifetimeSeconds).toBeGreaterThanOrEqual(30 * 24 * 60 * 60);
  expect(lifetimeSeconds).toBeLessThan(30 * 24 * 60 * 60 + 60);
});

test('a ticket says what it is for, whose session it is of and until when that lasts', async () => {
  const viewer = holder(3_600);
  const before = nowInSeconds();
  const token = await signTicket(KEYS, viewer, 30);
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'ticket+jwt', kid: KEYS[0].id });
  expect(decodeJwt(token)).toMatchObject({ iss: 'patikana', aud: 'patikana-realtime', typ: 'ticket+jwt' });
  const ticket = await verifyTicket(KEYS, token);
  expect(ticket).toEqual({ ...viewer, ticketId: decodeJwt(token).jti, expiresAt: expect.any(Number) });
  expect((ticket?.expiresAt ?? 0) / 1000 - before).toBeGreaterThanOrEqual(30);
  expect((ticket?.expiresAt ?? 0) / 1000 - before).toBeLessThan(60);
});

test('a ticket ends with its session, if that is sooner', async () => {
  const viewer = holder(20);
  const ticket = await verifyTicket(KEYS, await signTicket(KEYS, viewer, 30));
  expect(ticket?.expiresAt).toBe(viewer.sessionEndsAt);
});

test('another algorithm, kind or an empty session is refused, even of a token that is signed with our key', async () => {
  expect(await verifySessionToken(KEYS, await forge({}))).toMatchObject({ userId: 'mtu', sessionId: 'kikao' });
  expect(await verifySessionToken(KEYS, await forge({}, { alg: 'HS512' }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({}, { typ: 'ticket+jwt' }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({ sid: '' }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({ sid: undefined }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({ sid: 7 }))).toBeNull();
});

test('a token that names a key which nobody knows is refused', async () => {
  const token = await signSessionToken(toSessionKeys('o'.repeat(40), null), {
    userId: 'mtu',
    tokenVersion: 3,
    sessionId: crypto.randomUUID(),
  });
  expect(await verifySessionToken(toSessionKeys(SECRET, 'n'.repeat(40)), token)).toBeNull();
});
