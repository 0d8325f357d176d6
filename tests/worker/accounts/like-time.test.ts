import { beforeEach, expect, test, vi } from 'vitest';
import { call, newPerson, signIn } from '#tests/worker/support/api.ts';

// Checks which password hash is computed. Measured durations would say nothing on a busy machine. The Worker is loaded
// before this file, so the app must be loaded again with the spied module.
vi.mock('#worker/accounts/password.ts', { spy: true });
vi.resetModules();
const { countTrips } = await import('#tests/worker/support/count-trips.ts');
const { DUMMY_HASH, isPasswordRight } = await import('#worker/accounts/password.ts');
beforeEach(() => vi.clearAllMocks());

async function statusOfSignIn(email: string, password: string): Promise<number> {
  const { answer } = await countTrips('POST', '/api/login', {
    body: new URLSearchParams({ username: email, password }),
  });
  return answer.status;
}

test('a sign-in with an unknown e-mail computes as costly a hash as a sign-in with a wrong password, so both take equally long', async () => {
  const email = 'yupo@example.com';
  const registration = { username: 'yupo', email, whatsapp_number: '+255799000002', password: 'tumaini la kesho' };
  expect((await call('POST', '/api/users', registration)).status).toBe(201);
  expect(await statusOfSignIn(email, 'si hili nenosiri')).toBe(401);
  expect(await statusOfSignIn('hakuna-mtu@example.com', 'si hili nenosiri')).toBe(401);
  const hashes = vi.mocked(isPasswordRight).mock.calls.map(([, hash]) => hash);
  expect(hashes).toHaveLength(2);
  expect(hashes[0]).not.toBe(DUMMY_HASH);
  expect(hashes[1]).toBe(DUMMY_HASH);
  for (const hash of hashes) expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
});

test('a sign-in to a locked account computes no password hash', async () => {
  const person = await newPerson();
  await Promise.all(Array.from({ length: 20 }, () => signIn(person.email, 'si hili nenosiri')));
  vi.clearAllMocks();
  expect(await statusOfSignIn(person.email, person.password)).toBe(429);
  expect(isPasswordRight).not.toHaveBeenCalled();
});
