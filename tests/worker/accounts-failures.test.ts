import { expect, test } from 'vitest';
import { call, signIn } from './support/api.ts';

const WRONG = 'si hili nenosiri';

test('a right password clears the failures of an account whose hash is as it should be', async () => {
  const [email, password] = ['sahihi@example.com', 'tumaini la kesho'];
  // Registered through the API, so that nothing is renewed at the sign-in.
  await call('POST', '/api/users', { username: 'Sahihi', email, whatsapp_number: '+255799000201', password });
  const fail = () => signIn(email, WRONG);
  await Promise.all(Array.from({ length: 9 }, fail));
  expect((await signIn(email, password)).status).toBe(200);
  expect((await fail()).status).toBe(401);
});
