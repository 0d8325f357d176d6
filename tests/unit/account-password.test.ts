import { expect, test } from 'vitest';
import { hashPassword, isHashOutdated, isPasswordRight } from '#worker/accounts/password.ts';

const SALT = 'A'.repeat(22);
const KEY = 'B'.repeat(43);

test.each([
  ['scrypt$32768$8$3', false],
  ['scrypt$16384$8$3', true],
  ['scrypt$32768$4$3', true],
  ['scrypt$32768$8$1', true],
  ['scrypt$65536$8$3', true],
])('whether a hash made with %s is to be renewed: %s', (parameters, isOutdated) => {
  expect(isHashOutdated(`${parameters}$${SALT}$${KEY}`)).toBe(isOutdated);
});

test.each([
  `scrypt$$8$3$${SALT}$${KEY}`,
  `scrypt$32768$$3$${SALT}$${KEY}`,
  `scrypt$32768$8$$${SALT}$${KEY}`,
  `scrypt$32768$8$3$$${KEY}`,
  `scrypt$32768$8$3$${SALT}$`,
  '',
])('the hash %j is said to be malformed, and opens nothing', async (hash) => {
  await expect(isPasswordRight('', hash)).rejects.toThrow('A stored password hash is malformed');
});

test('a password opens its own hash alone, with its letters composed or decomposed', async () => {
  const hash = await hashPassword('caf\u00e9 ya leo');
  expect(await isPasswordRight('cafe\u0301 ya leo', hash)).toBe(true);
  expect(await isPasswordRight('cafe ya leo', hash)).toBe(false);
});
