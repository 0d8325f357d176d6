import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { LIMITS, type Limit } from '#worker/limits/limits.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { ask, call, signIn } from './support/api.ts';
import { collectInto } from './support/whatsapp.ts';

let people = 0;

/** What nobody has asked for before, so that no other limit comes into it. */
const ASKS = {
  sign_in_address: (headers: Record<string, string>) =>
    signIn(`mtu${++people}@example.com`, 'si hili nenosiri', headers),
  registration_address: (headers: Record<string, string>) => {
    const number = String(10_000_000 + ++people);
    const person = { username: number, email: `${number}@example.com`, whatsapp_number: `+2547${number}` };
    return call('POST', '/api/users', { ...person, password: 'tumaini la kesho' }, { headers });
  },
  code_address: (headers: Record<string, string>) =>
    ask(
      // The queue itself would still be at work when the file is over, and its runner gone.
      { WHATSAPP_QUEUE: collectInto([]) },
      '/api/auth/request-password-reset',
      { whatsapp_number: `+2546${10_000_000 + ++people}` },
      headers,
    ),
  proof_address: (headers: Record<string, string>) =>
    call('POST', '/api/auth/number-proofs', { whatsapp_number: `+2546${10_000_000 + ++people}` }, { headers }),
  feedback_address: (headers: Record<string, string>) =>
    call('POST', '/api/feedback', { email: 'mtu@example.com', message: 'Asante' }, { headers }),
  client_error_address: (headers: Record<string, string>) =>
    call('POST', '/api/client-errors', { name: 'TypeError', frames: ['/assets/app-Bx3_k-9a.js:1:2345'] }, { headers }),
} satisfies Partial<Record<Limit, unknown>>;

const LIMITED = Object.keys(ASKS) as (keyof typeof ASKS)[];
const setCount = (key: string, count: number) =>
  env.DB.prepare('update rate_counters set count = ? where subject = ?').bind(count, key).run();

test.each(LIMITED)('%s stops one address and no other', async (limit) => {
  const from = (address: string) => ASKS[limit]({ 'CF-Connecting-IP': address });
  const { max, windowSeconds } = LIMITS[limit];
  const { status } = await from('196.41.7.1');
  expect(status).not.toBe(429);
  await setCount(allowanceOf(readConfig(env), limit, '196.41.7.1').key, max - 1);
  expect((await from('196.41.7.1')).status).toBe(status);
  const refused = await from('196.41.7.1');
  expect(refused.status).toBe(429);
  const retryAfter = Number(refused.headers.get('Retry-After'));
  expect(retryAfter).toBeGreaterThan(windowSeconds - 60);
  expect(retryAfter).toBeLessThanOrEqual(windowSeconds);
  expect((await from('196.41.7.2')).status).toBe(status);
});

test.each(LIMITED)(
  '%s stops a /56 and a /48 at their own ceilings, whichever of their networks asks',
  async (limit) => {
    const statusOf = async (address: string) => (await ASKS[limit]({ 'CF-Connecting-IP': address })).status;
    const allowed = await statusOf('2001:db8:6:100::1');
    const [, of56, of48] = allowancesOf(readConfig(env), limit, '2001:db8:6:100::1');
    await setCount(of56?.key ?? '', (of56?.max ?? 0) - 1);
    expect(await statusOf('2001:db8:6:101::1')).toBe(allowed);
    expect(await statusOf('2001:db8:6:102::1')).toBe(429);
    expect(await statusOf('2001:db8:6:200::1')).toBe(allowed);
    await setCount(of48?.key ?? '', (of48?.max ?? 0) - 1);
    expect(await statusOf('2001:db8:6:300::1')).toBe(allowed);
    expect(await statusOf('2001:db8:6:400::1')).toBe(429);
    expect(await statusOf('2001:db8:7:100::1')).toBe(allowed);
  },
);
