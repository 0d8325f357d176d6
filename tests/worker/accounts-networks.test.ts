import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newPerson, signIn } from './support/api.ts';
import { guessAtOnce, knownDevice } from './support/devices.ts';

const from = (address: string) => ({ 'CF-Connecting-IP': address });

/** So many wrong passwords at once. @returns how many of them were compared with the right one. */
async function countGuesses(email: string, count: number, address: string): Promise<number> {
  return (await guessAtOnce(email, count, from(address))).filter((status) => status === 401).length;
}

test('strangers guess a password 20 times an hour from a /64, 40 from a /56, 80 from a /48 and 150 together, then once in 30 s', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const guessed = [];
  for (const [address, count] of [
    ['2001:db8:7:100::1', 11],
    ['2001:db8:7:100::2', 11],
    ['2001:db8:7:1ff::1', 22],
    ['2001:db8:7:120::1', 2],
    ['2001:db8:7:200::1', 22],
    ['2001:db8:7:201::1', 22],
    ['2001:db8:7:ffff::1', 2],
    ['2001:db8:8::1', 22],
    ['196.41.60.1', 22],
    ['196.41.60.2', 22],
    ['196.41.60.3', 22],
    ['196.41.60.4', 2],
  ] as const)
    guessed.push(await countGuesses(person.email, count, address));
  expect(guessed).toEqual([11, 9, 20, 0, 20, 20, 0, 20, 20, 20, 10, 0]);
  const refused = await signIn(person.email, person.password, from('196.41.60.5'));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(30);
  for (const known of [device, { ...from('2001:db8:7:100::1'), ...device }])
    expect((await signIn(person.email, person.password, known)).status).toBe(200);
  await env.DB.exec("update rate_counters set window_ends_at = 1 where subject like 'sign_in_pause:%'");
  expect(await countGuesses(person.email, 2, '196.41.60.6')).toBe(1);
  expect(await countGuesses(person.email, 2, '2001:db8:9::1')).toBe(0);
}, 120_000);
