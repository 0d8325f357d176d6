import { expect, test } from 'vitest';
import { call, signIn } from './support/api.ts';
import { cookiesOf, guessAtOnce, times } from './support/devices.ts';

test("a right password clears a device's failures at an account whose hash is as it should be", async () => {
  const [email, password] = ['sahihi@example.com', 'tumaini la kesho'];
  // Registered through the API, so that nothing is renewed at the sign-in.
  await call('POST', '/api/users', { username: 'Sahihi', email, whatsapp_number: '+255799000201', password });
  const Cookie = cookiesOf(await signIn(email, password));
  expect(await guessAtOnce(email, 9, { Cookie })).toEqual(times(9, 401));
  expect((await signIn(email, password, { Cookie })).status).toBe(200);
  expect(await guessAtOnce(email, 2, { Cookie })).toEqual([401, 401]);
});
