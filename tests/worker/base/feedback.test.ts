import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { ask, call, newPerson, ORIGIN, signIn } from '#tests/worker/support/api.ts';
import { collectInto } from '#tests/worker/support/messages.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { batch, openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { planErasure } from '#worker/leaving/erase-person.ts';
import { exportPerson } from '#worker/leaving/export-account.ts';
import { allowanceOf, allowancesOf } from '#worker/limits/allowance.ts';
import { LIMITS, type Limit } from '#worker/limits/limits.ts';

function send(body: unknown, language?: string, address = '196.41.1.1') {
  return call('POST', '/api/feedback', body, {
    headers: { 'CF-Connecting-IP': address },
    ...(language && { language }),
  });
}

async function stored(email: string) {
  const { results } = await env.DB.prepare('select email, message from feedback where email = ?').bind(email).all();
  return results;
}

test('feedback from a person without an account is stored exactly as typed', async () => {
  const message = 'Asante sana! 👏\nNimepata simu yangu <b>leo</b>.';
  const answer = await send({ email: 'neema@example.com', message });
  expect([answer.status, await answer.json()]).toEqual([201, { success: true }]);
  expect(await stored('neema@example.com')).toEqual([{ email: 'neema@example.com', message }]);
});

test.each([
  [{ email: '', message: 'x' }, 'email', 'Email is required', 'Barua pepe inahitajika'],
  [{ email: 'neema', message: 'x' }, 'email', 'Invalid email address', 'Barua pepe si sahihi'],
  [{ email: 'a@b.co', message: ' ' }, 'message', 'Message is required', 'Ujumbe unahitajika'],
  [{ email: 'a@b.co' }, 'message', 'Message is required', 'Ujumbe unahitajika'],
  [
    { email: 'a@b.co', message: 'x'.repeat(5_001) },
    'message',
    'This is too long: at most 5000 characters.',
    'Maandishi ni marefu mno: yasizidi herufi 5000.',
  ],
  [
    { email: 'a@b.co', message: 'x\u0000' },
    'message',
    'This contains characters that are not allowed.',
    'Kuna herufi zisizoweza kutumika hapa.',
  ],
])('the invalid feedback %j is refused with a message in English or Swahili', async (body, field, en, sw) => {
  for (const [language, message] of [
    ['en', en],
    ['sw', sw],
  ] as const) {
    const answer = await send(body, language);
    expect(answer.status).toBe(422);
    expect((await answer.json<ErrorBody>()).errors).toEqual([{ field, message }]);
  }
});

test('if an IP address sends too much feedback its feedback is refused, and feedback from other IP addresses is accepted', async () => {
  const email = 'mafuriko@example.com';
  const answers = await Promise.all(
    Array.from({ length: 62 }, () => send({ email, message: 'x' }, 'en', '196.41.2.2')),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  for (const answer of refused) expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await stored(email)).toHaveLength(60);
  expect((await send({ email, message: 'x' }, 'en', '196.41.2.3')).status).toBe(201);
});

async function sendTo(formUrl: string | undefined, forward: typeof fetch) {
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(forward);
  const after: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => after.push(work), passThroughOnException() {}, props: {} };
  const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': '196.41.3.3' };
  const body = JSON.stringify({ email: 'b@example.com', message: 'Habari' });
  const bindings = { ...env, ...(formUrl && { FEEDBACK_FORM_URL: formUrl }) };
  const answer = await app.request(
    `${ORIGIN}/api/feedback`,
    { method: 'POST', headers, body },
    bindings,
    context as never,
  );
  await Promise.all(after);
  const calls = spy.mock.calls.slice();
  spy.mockRestore();
  return { status: answer.status, calls };
}

test('all IPv6 addresses of one customer’s /64 network share one limit on feedback', async () => {
  const answers = await Promise.all(
    Array.from({ length: 62 }, (_, host) =>
      send({ email: 'ipv6@example.com', message: 'x' }, 'en', `2c0f:fe38:2101:7::${host.toString(16)}`),
    ),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  const neighbour = await send({ email: 'ipv6@example.com', message: 'x' }, 'en', '2c0f:fe38:2101:8::1');
  expect(neighbour.status).toBe(201);
});

test('feedback is forwarded to a configured form service, with a timeout of ten seconds', async () => {
  const patience = vi.spyOn(AbortSignal, 'timeout');
  const { status, calls } = await sendTo('https://forms.example/f/1', async () => new Response());
  expect(status).toBe(201);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.[0]).toBe('https://forms.example/f/1');
  expect(calls[0]?.[1]).toEqual({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ email: 'b@example.com', message: 'Habari' }),
    signal: patience.mock.results[0]?.value,
  });
  expect(patience.mock.calls).toEqual([[10_000]]);
  patience.mockRestore();
  expect((await sendTo(undefined, async () => new Response())).calls).toEqual([]);
});

test.each([
  ['answers 500', async () => new Response('', { status: 500 }), { status: 500 }],
  ['cannot be reached', async () => Promise.reject(new TypeError('refused')), { name: 'TypeError' }],
])(
  'feedback is accepted although the external form service %s, and the service’s failure is logged',
  async (_what, forward, told) => {
    const logs = captureLogs();
    expect((await sendTo('https://forms.example/f/1', forward)).status).toBe(201);
    const line = { event: 'feedback_not_forwarded', request_id: expect.any(String), ...told };
    expect(logs.warn.mock.calls).toEqual([[line]]);
    vi.unstubAllGlobals();
  },
);

test('feedback is exported and deleted with an account only if the account has proven the feedback’s e-mail address', async () => {
  const [person, other] = [await newPerson({ email: 'Upendo@example.com' }), await newPerson()];
  const messages = ['Ya kwanza', 'Ya pili'];
  for (const message of messages) await send({ email: 'UPENDO@example.com', message });
  await send({ email: other.email, message: 'Ya mwingine' });
  const db = openDb(env);
  const exported = async () => (await exportPerson(db, person.id)).feedback;
  const erase = () => batch(db, planErasure(db, person.id).feedback);
  // The e-mail address is unproven, so feedback from it is neither exported nor erased: anybody may have sent it.
  expect(await exported()).toEqual([]);
  await erase();
  expect(await stored('UPENDO@example.com')).toHaveLength(2);
  await env.DB.prepare('update users set email_proven_at = 1 where id = ?').bind(person.id).run();
  expect(await exported()).toEqual(messages.map((message) => ({ message, created_at: expect.any(String) })));
  await erase();
  expect(await exported()).toEqual([]);
  expect(await stored(other.email)).toHaveLength(1);
});

test('with RATE_LIMITS off every feedback message is stored', async () => {
  const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': '196.41.4.4' };
  const body = JSON.stringify({ email: 'wingi@example.com', message: 'x' });
  const context = { waitUntil() {}, passThroughOnException() {}, props: {} } as never;
  for (let turn = 0; turn < 62; turn++) {
    const bindings = { ...env, RATE_LIMITS: 'off' };
    expect(
      (await app.request(`${ORIGIN}/api/feedback`, { method: 'POST', headers, body }, bindings, context)).status,
    ).toBe(201);
  }
  expect(await stored('wingi@example.com')).toHaveLength(62);
});

let people = 0;

/**
 * For each limit, a request that the limit counts. Each request has a new e-mail or phone number, so that no other
 * limit applies.
 */
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
      // The real queue would run its job after the end of this test file, when the file's test runner has ended.
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

test.each(LIMITED)(
  'the rate limit %s refuses requests only from the IP address that has reached the limit',
  async (limit) => {
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
  },
);

test.each(LIMITED)(
  'the rate limit %s also refuses a request if the whole IPv6 /56 or /48 network has sent too many requests',
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
