import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { accountPhoneSchema, contactPhoneSchema } from '#contract/fields.ts';
import { normaliseAccountPhone, stripPhoneSeparators } from '#contract/typed-numbers.ts';
import { nameDevice } from '#worker/accounts/devices.ts';
import { hashPassword, isHashOutdated, isPasswordRight } from '#worker/accounts/password.ts';
import { deriveDigits, randomCode } from '#worker/identity/codes.ts';
import { emailKey, fingerprint } from '#worker/identity/digests.ts';
import {
  signSessionToken,
  signTicket,
  toSessionKeys,
  verifySessionToken,
  verifyTicket,
} from '#worker/identity/session-token.ts';
import { assertRight, type Judgement } from '#worker/recovery/reset-code.ts';

const SECRET = 'a-secret-that-only-the-tests-know-0123456789';

const SALT = 'A'.repeat(22);
const KEY = 'B'.repeat(43);

test.each([
  ['scrypt$32768$8$3', false],
  ['scrypt$16384$8$3', true],
  ['scrypt$32768$4$3', true],
  ['scrypt$32768$8$1', true],
  ['scrypt$65536$8$3', true],
])(
  'the check whether a password hash with the scrypt parameters %s is outdated returns %s',
  (parameters, isOutdated) => {
    expect(isHashOutdated(`${parameters}$${SALT}$${KEY}`)).toBe(isOutdated);
  },
);

test.each([
  `scrypt$$8$3$${SALT}$${KEY}`,
  `scrypt$32768$$3$${SALT}$${KEY}`,
  `scrypt$32768$8$$${SALT}$${KEY}`,
  `scrypt$32768$8$3$$${KEY}`,
  `scrypt$32768$8$3$${SALT}$`,
  '',
])('a stored hash %j is reported as malformed and matches no password', async (hash) => {
  await expect(isPasswordRight('', hash)).rejects.toThrow('A stored password hash is malformed');
});

test('a password matches only its own hash; composed and decomposed accents of a letter count as equal', async () => {
  const hash = await hashPassword('caf\u00e9 ya leo');
  expect(await isPasswordRight('cafe\u0301 ya leo', hash)).toBe(true);
  expect(await isPasswordRight('cafe ya leo', hash)).toBe(false);
});

describe('codes and digests', () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ['ombi-13', 6, '009724'],
    // For this id, the first two derived numbers are rejected, because using them would make some codes likelier.
    ['ombi-91', 9, '600185063'],
    ['ombi-324', 9, '104327563'],
  ])(
    'deriveDigits always returns the same code for the same arguments (id: %s, number of digits: %d, code: %s)',
    (id, digits, code) => {
      expect(deriveDigits(SECRET, 'code', id, digits)).toBe(code);
    },
  );

  test('a numeric code, such as a hand-over code, depends on the purpose, the id and the secret from which it is derived', () => {
    const code = deriveDigits(SECRET, 'code', 'ombi', 9);
    const others = [
      deriveDigits(SECRET, 'handover', 'ombi', 9),
      deriveDigits(SECRET, 'code', 'ombi-2', 9),
      deriveDigits(`${SECRET}x`, 'code', 'ombi', 9),
    ];
    expect(others).not.toContain(code);
  });

  test('the same purpose, value and secret always give the same digest, and changing any of the three gives another digest', () => {
    const digest = fingerprint(SECRET, 'rate-limit:post', '196.41.7.1');
    expect(digest).toBe('HXvXJskhb4ne3Gs8HYLW0wTp6oBAMab-1N41PR-nsPQ');
    expect(fingerprint(SECRET, 'rate-limit:photo', '196.41.7.1')).not.toBe(digest);
    expect(fingerprint(`${SECRET}x`, 'rate-limit:post', '196.41.7.1')).not.toBe(digest);
    expect(fingerprint(SECRET, 'rate-limit:post', '196.41.7.2')).not.toBe(digest);
  });

  test('two spellings of an e-mail address that differ only in letter case or Unicode composition belong to one account', () => {
    expect(emailKey('Ren\u00c9@Example.com')).toBe('ren\u00e9@example.com');
    expect(emailKey('rene\u0301@example.com')).toBe('ren\u00e9@example.com');
  });

  /** Makes the platform's random source return these bytes, then zeros. */
  function drawBytes(...bytes: number[]) {
    const rest = [...bytes];
    return vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      if (array instanceof Uint8Array) for (const index of array.keys()) array[index] = rest.shift() ?? 0;
      return array;
    });
  }

  test('each character of a random code is equally likely, because random bytes that would favour some characters are dropped', () => {
    drawBytes(30, 248, 31, 255, 247, 61);
    expect(randomCode(4)).toBe('9A99');
  });

  test('a random code has the requested length, and no letters or digits that look alike', () => {
    const codes = Array.from({ length: 400 }, () => randomCode(8));
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
    expect(new Set(codes.join('')).size).toBe(31);
    expect(new Set(codes).size).toBe(400);
  });
});

const KEYS = toSessionKeys(SECRET, null);
function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function holder(sessionEndsInSeconds: number) {
  const sessionEndsAt = (nowInSeconds() + sessionEndsInSeconds) * 1000;
  return { userId: 'mtu', tokenVersion: 3, sessionId: 'kikao', sessionEndsAt };
}

/** Signs a token with the session key, which is derived from the secret. */
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

test('a ticket for the live connection contains its purpose, its user and the expiry of the session', async () => {
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

test('a ticket for the live connection expires no later than its session', async () => {
  const viewer = holder(20);
  const ticket = await verifyTicket(KEYS, await signTicket(KEYS, viewer, 30));
  expect(ticket?.expiresAt).toBe(viewer.sessionEndsAt);
});

test('a session token with a valid signature is refused if its algorithm, its token type or its session id is wrong', async () => {
  expect(await verifySessionToken(KEYS, await forge({}))).toMatchObject({ userId: 'mtu', sessionId: 'kikao' });
  expect(await verifySessionToken(KEYS, await forge({}, { alg: 'HS512' }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({}, { typ: 'ticket+jwt' }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({ sid: '' }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({ sid: undefined }))).toBeNull();
  expect(await verifySessionToken(KEYS, await forge({ sid: 7 }))).toBeNull();
});

test('a session token signed with an unknown key is refused', async () => {
  const token = await signSessionToken(toSessionKeys('o'.repeat(40), null), {
    userId: 'mtu',
    tokenVersion: 3,
    sessionId: crypto.randomUUID(),
  });
  expect(await verifySessionToken(toSessionKeys(SECRET, 'n'.repeat(40)), token)).toBeNull();
});

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';

test.each([
  ['Chrome, Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`],
  ['Samsung Internet, Android', `Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/28.0 ${CHROME}`],
  ['Opera, Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} OPR/93.0`],
  ['Edge, Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/141.0`],
  ['Edge, Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} EdgA/141.0`],
  ['Edge, iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) EdgiOS/141.0 Mobile/15E148 Safari/604.1'],
  ['Opera, Windows', 'Opera/9.80 (Windows NT 6.1; U; en) Presto/2.12 Version/12.18'],
  ['UC Browser, Android', `Mozilla/5.0 (Linux; U; Android 12; en) UCBrowser/13.4 ${CHROME}`],
  ['Firefox, iPad', 'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) FxiOS/144.0 Mobile/15E148 Safari/604.1'],
  ['Firefox, Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  ['Safari, iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1'],
  ['Chrome, iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) CriOS/141.0 Mobile/15E148 Safari/604.1'],
  ['Safari, macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15'],
  ['Chrome, ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`],
  ['Firefox, KaiOS', 'Mozilla/5.0 (Mobile; Nokia_8110; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5'],
  ['Android', 'okhttp/4.12 (Android 14)'],
  ['', 'curl/8.5.0'],
  ['', ''],
])('the list of devices shows the name “%s” for a browser that identifies itself as: %s', (name, userAgent) => {
  expect(nameDevice(userAgent)).toBe(name);
});

const STANDING = { used_at: null, email_key: 'mtu@example.com' };
const USED = { used_at: 1, email_key: 'mtu@example.com' };

test.each<[what: string, judgement: Judgement, code: string | null]>([
  ['that is right is accepted', { isRight: true, state: STANDING }, null],
  ['that is wrong gives invalid_code', { isRight: false, state: STANDING }, 'invalid_code'],
  ['that has expired gives code_expired', { isRight: null, state: STANDING }, 'code_expired'],
  ['that was already used gives invalid_code', { isRight: null, state: USED }, 'invalid_code'],
  ['that nobody requested gives invalid_code', { isRight: null, state: null }, 'invalid_code'],
])('only a right, unused and unexpired verification code is accepted: a code %s', (_what, judgement, code) => {
  if (code === null) expect(() => assertRight(judgement)).not.toThrow();
  else expect(() => assertRight(judgement)).toThrow(expect.objectContaining({ code }));
});

test.each([
  ['0712345678', '+255712345678'],
  ['+255712345678', '+255712345678'],
  ['255712345678', '+255712345678'],
  ['0712 345-678', '+255712345678'],
  ['(0712) 345.678', '+255712345678'],
  ['\u202a0712345678\u202c', '+255712345678'],
])('the phone number %s is normalised to %s', (typed, number) => expect(normaliseAccountPhone(typed)).toBe(number));

test.each([
  ['+1234567', true],
  ['+123456', false],
  ['+123456789012345', true],
  ['+1234567890123456', false],
  ['0', false],
  ['', false],
  [' ', false],
  ['+', false],
  ['٠٧١٢٣٤٥٦٧٨', false],
])('the check whether the phone number %j is valid for an account returns %s', (typed, isValid) =>
  expect(accountPhoneSchema.safeParse(typed).success).toBe(isValid),
);

test.each([
  ['11', true],
  ['1', false],
  ['+11', true],
  ['123456789012345', true],
  ['1234567890123456', false],
  ['+', false],
  ['0712 345 678', false],
  ['0712345678\n', false],
])('the check whether the phone number %j is valid as the contact of a post returns %s', (typed, isValid) =>
  expect(contactPhoneSchema.safeParse(typed).success).toBe(isValid),
);

test('spaces, brackets and hyphens are removed from a pasted phone number', () => {
  expect(stripPhoneSeparators(' +255 (712) 345-678 ')).toBe('+255712345678');
  expect(stripPhoneSeparators('07a12')).toBe('07a12');
});
