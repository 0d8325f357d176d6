import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { bar, barOf } from '#worker/limits/bars.ts';
import { LIMITS, type Limit } from '#worker/limits/limits.ts';
import { ask, call, newPerson, type Person } from './support/api.ts';
import {
  askForCode,
  bring,
  codeOf,
  holderOf,
  lastCode,
  newMessage,
  newNumber,
  newRegistration,
  proveByMessage,
  readProof,
  register,
  startProof,
  wrong,
} from './support/numbers.ts';
import { collectInto } from './support/whatsapp.ts';

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

test('a code is on its way once, in the language of the request; for an account’s number in that of the account', async () => {
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

test('beyond three no code is made or sent, and the third is good still, whoever else has asked since', async () => {
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

/** What is asked for under each limit, by whom it counts. */
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

test.each(Object.keys(LIMITED) as Limit[])('%s stops what is asked beyond it, and stores nothing', async (limit) => {
  const [person, number] = [await newPerson(), newNumber()];
  const { subject, table, asked } = LIMITED[limit]?.(person, number) ?? { subject: '', asked: () => call('GET', '/') };
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
});

test('the tries at one code are limited where other limits are off, too', async () => {
  const number = newNumber();
  const code = await askForCode(number);
  const bindings = { ...env, RATE_LIMITS: 'off' };
  const tryIt = async (verification_code: string) =>
    codeOf(await ask(bindings, '/api/users', { ...newRegistration(number), verification_code }));
  for (let tries = 0; tries < 5; tries++) expect(await tryIt(wrong(code))).toBe('invalid_code');
  expect(await tryIt(code)).toBe('code_expired');
});

test('what is guessed where there is no code, or none any more, counts as no guess', async () => {
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

test('a number that was barred since its holder proved it goes to no account', async () => {
  const [person, number] = [await newPerson(), newNumber()];
  const number_proof = await proveByMessage(number);
  await bar(openDb(env), [barOf(readConfig(env), 'number', number)], Date.now() + MINUTE_MS);
  const body = { number_proof, current_password: person.password };
  expect(await codeOf(await call('POST', '/api/me/whatsapp-number/confirm', body, person))).toBe('suspended');
  expect(await holderOf(number)).toBeNull();
});

test('a code is good until the fifth minute is over, and of two at one moment the second', async () => {
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

test('a message may come until the tenth minute is over, and what it proves is good until the fifteenth', async () => {
  const [number, other] = [newNumber(), newNumber()];
  const start = Math.ceil(Date.now() / 1000) * 1000;
  startClock(start);
  const started = await startProof(number);
  expect(started.expires_at).toBe(new Date(start + 10 * MINUTE_MS).toISOString());
  startClock(start + 10 * MINUTE_MS - 1);
  expect((await readProof(started)).status).toBe('waiting');
  startClock(start + 10 * MINUTE_MS);
  expect((await readProof(started)).status).toBe('expired');
  // The message has its time in whole seconds.
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
])('asked for %i ms after a second, a message of %i s beside it leaves it %s', async (ms, seconds, status) => {
  const number = newNumber();
  const second = Math.ceil(Date.now() / 1000);
  startClock(second * 1000 + ms);
  const started = await startProof(number);
  await bring([newMessage(number, started.text, { timestamp: String(second + seconds) })]);
  expect((await readProof(started)).status).toBe(status);
});

test('white space that an app has changed makes no other message of it, and nothing is kept of messages that are no proof', async () => {
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

test('a number that was proven ninety days ago is its holder’s no more', async () => {
  const number = newNumber();
  const start = Date.now();
  startClock(start);
  expect(await signUpWith(number, await askForCode(number))).toBe('ok');
  startClock(start + 90 * 24 * 60 * MINUTE_MS - 1);
  expect(await signUpWith(number, await askForCode(number))).toBe('phone_taken');
  startClock(start + 90 * 24 * 60 * MINUTE_MS);
  expect(await signUpWith(number, await askForCode(number))).toBe('ok');
});
