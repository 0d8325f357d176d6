import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { ask, call, newPerson } from './support/api.ts';
import { guessAtOnce, knownDevice, times } from './support/devices.ts';
import { collectInto, issueCode } from './support/whatsapp.ts';

type Headers = Record<string, string>;
const NEW_PASSWORD = 'mwembe mkubwa wa babu';

function from(address: number): Headers {
  return { 'CF-Connecting-IP': `196.41.88.${address}` };
}

async function outcome(answer: Response): Promise<string> {
  return answer.status === 200 ? 'success' : `${answer.status} ${(await answer.json<ErrorBody>()).code}`;
}

async function request(phone: string, headers: Headers): Promise<string> {
  const queue = { WHATSAPP_QUEUE: collectInto([]) };
  return outcome(await ask(queue, '/api/auth/request-password-reset', { whatsapp_number: phone }, headers));
}

async function verify(phone: string, code: string, headers: Headers): Promise<string> {
  const guess = { whatsapp_number: phone, verification_code: code };
  return outcome(await call('POST', '/api/auth/verify-code', guess, { headers }));
}

async function reset(phone: string, code: string, headers: Headers): Promise<string> {
  const body = { whatsapp_number: phone, verification_code: code, new_password: NEW_PASSWORD };
  return outcome(await call('POST', '/api/auth/reset-password', body, { headers }));
}

function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}

/** So many wrong codes at once. @returns what came of them, in order. */
async function guess(phone: string, code: string, count: number, headers: Headers): Promise<string[]> {
  const guesses = Array.from({ length: count }, (_, index) => verify(phone, wrong(code, index + 1), headers));
  return (await Promise.all(guesses)).sort();
}

const INVALID = '400 invalid_code';
const OVER = '400 code_expired';
function judged(count: number, of: number): string[] {
  return [...Array.from({ length: of - count }, () => OVER), ...Array.from({ length: count }, () => INVALID)];
}

test('a stranger has five wrong tries per code, and uses up no other address’s tries', async () => {
  const { phone } = await newPerson();
  const { code } = await issueCode(phone);
  expect(await guess(phone, code, 12, from(1))).toEqual(judged(5, 12));
  expect(await verify(phone, code, from(1))).toBe(OVER);
  expect(await guess(phone, code, 4, from(2))).toEqual(judged(4, 4));
  expect(await verify(phone, code, from(2))).toBe('success');
});

test('strangers together have twenty wrong tries per code; a known device keeps its own five', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  const attacks = await Promise.all([1, 2, 3, 4, 5].map((address) => guess(person.phone, code, 5, from(address))));
  expect(attacks.flat().filter((one) => one === INVALID)).toHaveLength(20);
  expect(await verify(person.phone, code, from(6))).toBe(OVER);
  const own = { ...from(1), ...device };
  expect(await guess(person.phone, code, 4, own)).toEqual(judged(4, 4));
  expect(await reset(person.phone, code, own)).toBe('success');
});

test('a known device has five wrong tries per code too, even if they come at once', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  expect(await guess(person.phone, code, 12, device)).toEqual(judged(5, 12));
  const counted = env.DB.prepare('select wrong_tries from reset_codes where user_id = ?').bind(person.id);
  expect(await counted.first('wrong_tries')).toBe(0);
  expect(await verify(person.phone, code, device)).toBe(OVER);
  const { code: next } = await issueCode(person.phone);
  expect(await verify(person.phone, next, device)).toBe('success');
});

test('neither wrong passwords nor wrong codes of a known device block its next code', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  expect(await guessAtOnce(person.email, 11, device)).toEqual([...times(10, 401), 429]);
  for (let codes = 0; codes < 2; codes++) {
    const { code } = await issueCode(person.phone);
    expect(await guess(person.phone, code, 5, device)).toEqual(judged(5, 5));
    expect(await verify(person.phone, code, device)).toBe(OVER);
  }
  const { code } = await issueCode(person.phone);
  expect(await verify(person.phone, code, device)).toBe('success');
});

test('fifty wrong codes a day are judged for one device', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  expect(await verify(person.phone, wrong(code), device)).toBe(INVALID);
  const counted = await env.DB.prepare(
    "update rate_counters set count = 50 where subject like 'reset_guess:%' and count = 1 returning subject",
  ).all();
  expect(counted.results).toHaveLength(1);
  expect(await verify(person.phone, code, device)).toBe('429 too_many_requests');
});

test("strangers who use up a number's requests leave a known device three of its own", async () => {
  const person = await newPerson();
  const device = { ...from(1), ...(await knownDevice(person)) };
  const strangers = await Promise.all(Array.from({ length: 8 }, () => request(person.phone, from(1))));
  expect(strangers.filter((one) => one === 'success')).toHaveLength(3);
  expect(await request(person.phone, from(2))).toBe('429 too_many_requests');
  const own = await Promise.all(Array.from({ length: 8 }, () => request(person.phone, device)));
  expect(own.filter((one) => one === 'success')).toHaveLength(3);
  expect(own.filter((one) => one === '429 too_many_requests')).toHaveLength(5);
});

test("an address that used up its hour's codes leaves a known device its own, and refused requests count for nothing", async () => {
  const person = await newPerson();
  const device = { ...from(9), ...(await knownDevice(person)) };
  const { phone } = await newPerson();
  for (let index = 0; index < 6; index++) await request(phone, from(9));
  const { key, max } = allowanceOf(readConfig(env), 'code_address', '196.41.88.9');
  const counter = await env.DB.prepare('select count from rate_counters where subject = ?').bind(key).first();
  expect(counter).toEqual({ count: 3 });
  await env.DB.prepare('update rate_counters set count = ? where subject = ?').bind(max, key).run();
  expect(await request(person.phone, from(9))).toBe('429 too_many_requests');
  expect(await request(person.phone, device)).toBe('success');
});

test('a cookie of another account makes no known device', async () => {
  const [person, thief] = [await newPerson(), await newPerson()];
  const foreign = { ...from(1), ...(await knownDevice(thief)) };
  for (let index = 0; index < 3; index++) expect(await request(person.phone, foreign)).toBe('success');
  expect(await request(person.phone, from(2))).toBe('429 too_many_requests');
  const { code } = await issueCode(person.phone);
  expect(await guess(person.phone, code, 5, from(1))).toEqual(judged(5, 5));
  expect(await verify(person.phone, code, foreign)).toBe(OVER);
});

test('after a reset the devices before it, a stolen one among them, are strangers', async () => {
  const person = await newPerson();
  const stolen = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  expect(await reset(person.phone, code, from(1))).toBe('success');
  const { code: next } = await issueCode(person.phone);
  expect(await guess(person.phone, next, 5, from(1))).toEqual(judged(5, 5));
  expect(await verify(person.phone, next, { ...from(1), ...stolen })).toBe(OVER);
});

test('two hundred wrong codes a day are judged for one number from all addresses, and a known device goes on', async () => {
  const person = await newPerson();
  const device = await knownDevice(person);
  const { code } = await issueCode(person.phone);
  expect(await verify(person.phone, wrong(code), from(1))).toBe(INVALID);
  const { key } = allowanceOf(readConfig(env), 'reset_guess_number', person.phone);
  await env.DB.prepare('update rate_counters set count = 199 where subject = ?').bind(key).run();
  expect(await verify(person.phone, wrong(code), from(2))).toBe(INVALID);
  expect(await verify(person.phone, code, from(3))).toBe('429 too_many_requests');
  expect(await verify(person.phone, code, { ...from(3), ...device })).toBe('success');
});
