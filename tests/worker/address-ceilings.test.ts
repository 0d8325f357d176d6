import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { LIMITS, type Limit } from '#worker/limits/limits.ts';
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
} satisfies Partial<Record<Limit, unknown>>;

test.each(Object.keys(ASKS) as (keyof typeof ASKS)[])('%s stops one address and no other', async (limit) => {
  const from = (address: string) => ASKS[limit]({ 'CF-Connecting-IP': address });
  const { max, windowSeconds } = LIMITS[limit];
  const { status } = await from('196.41.7.1');
  expect(status).not.toBe(429);
  await env.DB.prepare('update rate_counters set count = ? where subject = ?')
    .bind(max - 1, allowanceOf(readConfig(env), limit, '196.41.7.1').key)
    .run();
  expect((await from('196.41.7.1')).status).toBe(status);
  const refused = await from('196.41.7.1');
  expect(refused.status).toBe(429);
  const retryAfter = Number(refused.headers.get('Retry-After'));
  expect(retryAfter).toBeGreaterThan(windowSeconds - 60);
  expect(retryAfter).toBeLessThanOrEqual(windowSeconds);
  expect((await from('196.41.7.2')).status).toBe(status);
});
