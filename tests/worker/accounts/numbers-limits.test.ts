import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { WhatsappJob } from '#contract/jobs.ts';
import { ask, call, newPerson, type Person } from '#tests/worker/support/api.ts';
import { collectInto } from '#tests/worker/support/messages.ts';
import {
  askForCode,
  bring,
  codeOf,
  holderOf,
  knownDevice,
  lastCode,
  newMessage,
  newNumber,
  newRegistration,
  proveByMessage,
  readProof,
  register,
  startProof,
  wrong,
} from '#tests/worker/support/people.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { bar, barOf } from '#worker/limits/bars.ts';
import { LIMITS, type Limit } from '#worker/limits/limits.ts';

describe('limits on verification codes and WhatsApp proofs', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const ADDRESS = { 'CF-Connecting-IP': '196.41.80.1' };

  const bearing = ({ token }: Person) => ({ Authorization: `Bearer ${token}` });
  const keyOf = (limit: Limit, subject: string) => allowanceOf(readConfig(env), limit, subject).key;
  const countsAt = (number: string, table = 'number_codes') =>
    env.DB.prepare(`select count(*) as n from ${table} where number = ?`).bind(number).first<number>('n');
  const signUpWith = async (number: string, verification_code: string) =>
    codeOf(await register({ ...newRegistration(number), verification_code }));
  const startClock = (now = Date.now()) => vi.useFakeTimers({ toFake: ['Date'], now });

  test('a verification code’s message is in the signed-in account’s language, or in the request’s language if nobody is signed in', async () => {
    const [jobs, person, number] = [[] as WhatsappJob[], await newPerson(), newNumber()];
    const bindings = { WHATSAPP_QUEUE: collectInto(jobs) };
    await env.DB.prepare("update users set language = 'sw' where id = ?").bind(person.id).run();
    const english = { 'Accept-Language': 'en' };
    await ask(bindings, '/api/auth/prove-number', { whatsapp_number: number }, english);
    const change = { whatsapp_number: number, current_password: person.password };
    await ask(bindings, '/api/me/whatsapp-number', change, { ...bearing(person), ...english });
    const { results } = await env.DB.prepare('select id, kind, subject from number_codes where number = ?')
      .bind(number)
      .all<{ id: string; kind: string; subject: string }>();
    expect(results.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['prove_number', number],
      ['change_number', person.id],
    ]);
    expect(jobs).toEqual([
      { kind: 'prove_number', requestId: results[0]?.id, language: 'en' },
      { kind: 'change_number', requestId: results[1]?.id, language: 'sw' },
    ]);
  });

  test('a fourth request for a verification code within fifteen minutes is refused, and the third code still works', async () => {
    const [jobs, number] = [[] as WhatsappJob[], newNumber()];
    const bindings = { WHATSAPP_QUEUE: collectInto(jobs) };
    const asked = () => ask(bindings, '/api/auth/prove-number', { whatsapp_number: number });
    for (let count = 0; count < 3; count++) expect(await (await asked()).json()).toEqual({ success: true });
    const refused = await asked();
    expect(await codeOf(refused)).toBe('too_many_requests');
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect([retryAfter > 14 * 60, retryAfter <= 15 * 60]).toEqual([true, true]);
    expect([jobs.length, await countsAt(number)]).toEqual([3, 3]);
    await askForCode(newNumber());
    expect(await signUpWith(number, await lastCode('prove_number', number))).toBe('ok');
  });

  type Asking = { subject: string; table?: string; asked: (number: string) => Promise<Response> };

  /** For each limit, a request that the limit counts, and the key by which the limit counts the request. */
  const LIMITED: Partial<Record<Limit, (person: Person, number: string) => Asking>> = {
    code_address: () => ({
      subject: ADDRESS['CF-Connecting-IP'],
      asked: (number) => call('POST', '/api/auth/prove-number', { whatsapp_number: number }, { headers: ADDRESS }),
    }),
    proof_address: () => ({
      subject: ADDRESS['CF-Connecting-IP'],
      table: 'number_proofs',
      asked: (number) => call('POST', '/api/auth/number-proofs', { whatsapp_number: number }, { headers: ADDRESS }),
    }),
    change_account: (person) => ({
      subject: person.id,
      asked: (whatsapp_number) =>
        call('POST', '/api/me/whatsapp-number', { whatsapp_number, current_password: person.password }, person),
    }),
    change_request: (_person, number) => ({
      subject: number,
      asked: async () => {
        const somebody = await newPerson();
        const body = { whatsapp_number: number, current_password: somebody.password };
        return call('POST', '/api/me/whatsapp-number', body, somebody);
      },
    }),
  };

  test.each(Object.keys(LIMITED) as Limit[])(
    'once the rate limit %s is used up, a further request is refused and stores nothing',
    async (limit) => {
      const [person, number] = [await newPerson(), newNumber()];
      const { subject, table, asked } = LIMITED[limit]?.(person, number) ?? {
        subject: '',
        asked: () => call('GET', '/'),
      };
      const { max, windowSeconds } = LIMITS[limit];
      expect((await asked(number)).ok).toBe(true);
      await env.DB.prepare('update rate_counters set count = ? where subject = ?')
        .bind(max - 1, keyOf(limit, subject))
        .run();
      expect((await asked(number)).ok).toBe(true);
      const refused = await asked(number);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(windowSeconds - 60);
      expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(windowSeconds);
      expect(await countsAt(number, table)).toBe(2);
    },
  );

  test('wrong attempts at one verification code are limited even if RATE_LIMITS=off turns the rate limits off', async () => {
    const number = newNumber();
    const code = await askForCode(number);
    const bindings = { ...env, RATE_LIMITS: 'off' };
    const tryIt = async (verification_code: string) =>
      codeOf(await ask(bindings, '/api/users', { ...newRegistration(number), verification_code }));
    for (let tries = 0; tries < 5; tries++) expect(await tryIt(wrong(code))).toBe('invalid_code');
    expect(await tryIt(code)).toBe('code_expired');
  });

  test('a wrong verification code is not counted as an attempt if the phone number has no code or only a used code', async () => {
    const [empty, used] = [newNumber(), newNumber()];
    const code = await askForCode(used);
    expect(await signUpWith(used, code)).toBe('ok');
    const countGuesses = (number: string) =>
      env.DB.prepare('select coalesce(sum(count), 0) as n from rate_counters where subject = ?')
        .bind(keyOf('number_code_guess', `prove_number ${number}`))
        .first('n');
    const before = await countGuesses(used);
    for (const number of [empty, used]) expect(await signUpWith(number, wrong(code))).toBe('invalid_code');
    expect([await countGuesses(empty), await countGuesses(used)]).toEqual([0, before]);
  });

  test('a phone number barred from registration cannot be added to an account, even with a proof of the number', async () => {
    const [person, number] = [await newPerson(), newNumber()];
    const number_proof = await proveByMessage(number);
    await bar(openDb(env), [barOf(readConfig(env), 'number', number)], Date.now() + MINUTE_MS);
    const body = { number_proof, current_password: person.password };
    expect(await codeOf(await call('POST', '/api/me/whatsapp-number/confirm', body, person))).toBe('suspended');
    expect(await holderOf(number)).toBeNull();
  });

  test('a verification code works for five minutes, and is replaced by a second code even if both are issued in one millisecond', async () => {
    const [number, other] = [newNumber(), newNumber()];
    const start = Date.now();
    startClock(start);
    const first = await askForCode(number);
    const second = await askForCode(number);
    const late = await askForCode(other);
    startClock(start + 5 * MINUTE_MS - 1);
    expect(await signUpWith(number, first)).toBe('invalid_code');
    expect(await signUpWith(number, second)).toBe('ok');
    startClock(start + 5 * MINUTE_MS);
    expect(await signUpWith(other, late)).toBe('code_expired');
  });

  test('a WhatsApp proof’s message must be sent within ten minutes of the proof’s start; the proof then works for fifteen minutes', async () => {
    const [number, other] = [newNumber(), newNumber()];
    const start = Math.ceil(Date.now() / 1000) * 1000;
    startClock(start);
    const started = await startProof(number);
    expect(started.expires_at).toBe(new Date(start + 10 * MINUTE_MS).toISOString());
    startClock(start + 10 * MINUTE_MS - 1);
    expect((await readProof(started)).status).toBe('waiting');
    startClock(start + 10 * MINUTE_MS);
    expect((await readProof(started)).status).toBe('expired');
    // Meta dates messages in whole seconds. A message dated 600 s after the start is accepted, one dated 601 s is not.
    await bring([newMessage(number, started.text, { timestamp: String(start / 1000 + 601) })]);
    expect((await readProof(started)).status).toBe('expired');
    await bring([newMessage(number, started.text, { timestamp: String(start / 1000 + 600) })]);
    const { proof } = await readProof(started);
    startClock(start + 25 * MINUTE_MS - 1);
    expect((await register({ ...newRegistration(number), number_proof: proof })).status).toBe(201);
    startClock(start);
    const number_proof = await proveByMessage(other);
    startClock(start + 15 * MINUTE_MS);
    expect(await codeOf(await register({ ...newRegistration(other), number_proof }))).toBe('code_expired');
  });

  test.each([
    [0, -1, 'waiting'],
    [0, 0, 'proven'],
    [999, 0, 'proven'],
    [999, -1, 'waiting'],
  ])(
    'a proof requested %i ms after a second begins, with a WhatsApp message whose timestamp is that second plus %i s, is “%s”',
    async (ms, seconds, status) => {
      const number = newNumber();
      const second = Math.ceil(Date.now() / 1000);
      startClock(second * 1000 + ms);
      const started = await startProof(number);
      await bring([newMessage(number, started.text, { timestamp: String(second + seconds) })]);
      expect((await readProof(started)).status).toBe(status);
    },
  );

  test('a proof message with changed white space is accepted, and WhatsApp messages without a proof are not stored', async () => {
    const number = newNumber();
    const started = await startProof(number);
    const text = `\n ${started.text.replaceAll(' ', ' \n\t')}  `;
    const [proof, other] = [newMessage(number, text), newMessage(number, 'Habari')];
    expect(await bring([other, proof])).toBe(200);
    expect((await readProof(started)).status).toBe('proven');
    const kept = await env.DB.prepare('select id from whatsapp_incoming where id in (?, ?)')
      .bind(other.id, proof.id)
      .all();
    expect(kept.results).toEqual([{ id: proof.id }]);
  });

  test('another account can register a proven phone number only ninety days after the proof', async () => {
    const number = newNumber();
    const start = Date.now();
    startClock(start);
    expect(await signUpWith(number, await askForCode(number))).toBe('ok');
    startClock(start + 90 * 24 * 60 * MINUTE_MS - 1);
    expect(await signUpWith(number, await askForCode(number))).toBe('phone_taken');
    startClock(start + 90 * 24 * 60 * MINUTE_MS);
    expect(await signUpWith(number, await askForCode(number))).toBe('ok');
  });
});

type Headers = Record<string, string>;

const from = (address: string): Headers => ({ 'CF-Connecting-IP': address });
const WAYS = ['request-password-reset', 'prove-number'] as const;

/** Requests a reset code or verification code for the phone number. @returns the status of the response. */
async function request(number: string, headers: Headers, way: (typeof WAYS)[number] = 'request-password-reset') {
  const queue = { WHATSAPP_QUEUE: collectInto([]) };
  return (await ask(queue, `/api/auth/${way}`, { whatsapp_number: number }, headers)).status;
}

async function countAllowed(count: number, address: (index: number) => string, way?: (typeof WAYS)[number]) {
  let allowed = 0;
  for (let index = 0; index < count; index++)
    if ((await request(newNumber(), from(address(index)), way)) === 200) allowed++;
  return allowed;
}

const counterOf = (limit: Limit, subject: string) => allowanceOf(readConfig(env), limit, subject).key;
const setCount = (key: string, count: number) =>
  env.DB.prepare('update rate_counters set count = ? where subject = ?').bind(count, key).run();
const countAt = (key: string) =>
  env.DB.prepare('select count from rate_counters where subject = ?').bind(key).first<number>('count');

test.each(WAYS)(
  'one IP address can request reset or verification codes for at most 20 phone numbers a day at the route %s',
  async (way) => {
    const address = `196.41.70.${WAYS.indexOf(way)}`;
    const first = newNumber();
    expect(await request(first, from(address), way)).toBe(200);
    expect(await countAllowed(25, () => address, way)).toBe(19);
    expect(await request(first, from(address), way)).toBe(200);
  },
);

test('all IPv6 addresses of one /48 network together can request reset codes for at most 40 phone numbers a day', async () => {
  expect(await countAllowed(60, (index) => `2001:db8:70:${index.toString(16)}00::1`)).toBe(40);
});

test('a verification code requested by a signed-in account also counts towards the limit of its IP address', async () => {
  const person = await newPerson();
  const change = async (address: string) => {
    const body = { whatsapp_number: newNumber(), current_password: person.password };
    const headers = { ...from(address), Authorization: `Bearer ${person.token}` };
    return (await ask({ WHATSAPP_QUEUE: collectInto([]) }, '/api/me/whatsapp-number', body, headers)).status;
  };
  expect(await countAllowed(19, () => '196.41.70.9')).toBe(19);
  expect([await change('196.41.70.9'), await change('196.41.70.9'), await change('196.41.70.10')]).toEqual([
    200, 429, 200,
  ]);
});

async function exhaust(address: string): Promise<void> {
  expect(await countAllowed(21, () => address)).toBe(20);
}

const requestKnown = async ({ phone }: Person, device: Headers, address: string) =>
  request(phone, { ...from(address), ...device });

test('at an IP address over its limit for codes, an account’s known device gets a reset code only if the phone number is proven', async () => {
  const [proven, unproven] = [await newPerson(), await newPerson()];
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(proven.id).run();
  const [device, other] = [await knownDevice(proven), await knownDevice(unproven)];
  await exhaust('196.41.70.20');
  expect(await requestKnown(proven, device, '196.41.70.20')).toBe(200);
  expect(await requestKnown(unproven, other, '196.41.70.20')).toBe(429);
  expect(await requestKnown(unproven, other, '196.41.70.21')).toBe(200);
});

test('a code request refused by the limit of its IP address does not count towards the limit of the phone number', async () => {
  const { phone } = await newPerson();
  await exhaust('196.41.70.30');
  for (let index = 0; index < 4; index++) expect(await request(phone, from('196.41.70.30'))).toBe(429);
  expect(await countAt(counterOf('reset_request', phone))).toBeNull();
  expect(await countAt(counterOf('code_number', phone))).toBeNull();
  for (let index = 0; index < 3; index++) expect(await request(phone, from('196.41.70.31'))).toBe(200);
});

test('a code request refused by the limit of the phone number does not count towards the limit of its IP address', async () => {
  const number = newNumber();
  for (let index = 0; index < 5; index++) await request(number, from('196.41.70.40'));
  expect(await countAt(counterOf('code_address', '196.41.70.40'))).toBe(3);
});

test('ten reset or verification codes a day can be requested for a phone number, and ten more on a known device of its account', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  expect(await request(person.phone, from('196.41.70.50'))).toBe(200);
  await setCount(counterOf('code_number', person.phone), 8);
  expect(await request(person.phone, from('196.41.70.51'))).toBe(200);
  expect(await request(person.phone, from('196.41.70.52'), 'prove-number')).toBe(200);
  for (const way of WAYS) expect(await request(person.phone, from('196.41.70.53'), way)).toBe(429);
  expect(await requestKnown(person, device, '196.41.70.50')).toBe(200);
  const [deviceId] = /[0-9a-f-]{36}(?=\.)/.exec(device.Cookie) ?? [];
  await setCount(counterOf('code_number', `${person.phone}\0${deviceId}`), 10);
  expect(await requestKnown(person, device, '196.41.70.50')).toBe(429);
});
