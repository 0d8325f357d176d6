import { afterEach, expect, test, vi } from 'vitest';
import { deriveDigits } from '#worker/identity/derive-digits.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';
import { randomCode } from '#worker/identity/random-code.ts';

const SECRET = 'a-secret-that-only-the-tests-know-0123456789';

afterEach(() => void vi.restoreAllMocks());

test.each([
  ['ombi-13', 6, '009724'],
  // Its first two draws would favour some codes.
  ['ombi-91', 9, '600185063'],
  ['ombi-324', 9, '104327563'],
])('a code that was sent before a deployment is the same after it: %s', (id, digits, code) => {
  expect(deriveDigits(SECRET, 'code', id, digits)).toBe(code);
});

test('a code differs by its purpose, its id and its secret', () => {
  const code = deriveDigits(SECRET, 'code', 'ombi', 9);
  const others = [
    deriveDigits(SECRET, 'handover', 'ombi', 9),
    deriveDigits(SECRET, 'code', 'ombi-2', 9),
    deriveDigits(`${SECRET}x`, 'code', 'ombi', 9),
  ];
  expect(others).not.toContain(code);
});

test('a digest that is stored is the same after a deployment, and each purpose, secret and value has its own', () => {
  const digest = fingerprint(SECRET, 'rate-limit:post', '196.41.7.1');
  expect(digest).toBe('HXvXJskhb4ne3Gs8HYLW0wTp6oBAMab-1N41PR-nsPQ');
  expect(fingerprint(SECRET, 'rate-limit:photo', '196.41.7.1')).not.toBe(digest);
  expect(fingerprint(`${SECRET}x`, 'rate-limit:post', '196.41.7.1')).not.toBe(digest);
  expect(fingerprint(SECRET, 'rate-limit:post', '196.41.7.2')).not.toBe(digest);
});

test('one address is one account, in capitals and with letters composed or decomposed', () => {
  expect(emailKey('Ren\u00c9@Example.com')).toBe('ren\u00e9@example.com');
  expect(emailKey('rene\u0301@example.com')).toBe('ren\u00e9@example.com');
});

/** The platform gives these bytes, and zeros when they are used up. */
function drawBytes(...bytes: number[]) {
  const rest = [...bytes];
  return vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    if (array instanceof Uint8Array) for (const index of array.keys()) array[index] = rest.shift() ?? 0;
    return array;
  });
}

test('no letter of a code is likelier than another: bytes that would favour some are drawn again', () => {
  drawBytes(30, 248, 31, 255, 247, 61);
  expect(randomCode(4)).toBe('9A99');
});

test('a code is as long as asked for, of letters and digits that nobody mistakes for others', () => {
  const codes = Array.from({ length: 400 }, () => randomCode(8));
  for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
  expect(new Set(codes.join('')).size).toBe(31);
  expect(new Set(codes).size).toBe(400);
});
