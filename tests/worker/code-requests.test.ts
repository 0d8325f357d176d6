import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readConfig } from '#worker/env.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import type { Limit } from '#worker/limits/limits.ts';
import { ask, newPerson, type Person } from './support/api.ts';
import { knownDevice } from './support/devices.ts';
import { newNumber } from './support/numbers.ts';
import { collectInto } from './support/whatsapp.ts';

type Headers = Record<string, string>;

const from = (address: string): Headers => ({ 'CF-Connecting-IP': address });
const WAYS = ['request-password-reset', 'prove-number'] as const;

/** @returns the statuses. */
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
  'one address has codes sent to 20 different numbers a day by %s, the same ones again included',
  async (way) => {
    const address = `196.41.70.${WAYS.indexOf(way)}`;
    const first = newNumber();
    expect(await request(first, from(address), way)).toBe(200);
    expect(await countAllowed(25, () => address, way)).toBe(19);
    expect(await request(first, from(address), way)).toBe(200);
  },
);

test('a /48 has codes sent to 40 different numbers a day, from however many of its networks', async () => {
  expect(await countAllowed(60, (index) => `2001:db8:70:${index.toString(16)}00::1`)).toBe(40);
});

test('a signed-in account counts for its address, too', async () => {
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

test('at an exhausted address the known device of a proven number gets codes, that of another number does not', async () => {
  const [proven, unproven] = [await newPerson(), await newPerson()];
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(proven.id).run();
  const [device, other] = [await knownDevice(proven), await knownDevice(unproven)];
  await exhaust('196.41.70.20');
  expect(await requestKnown(proven, device, '196.41.70.20')).toBe(200);
  expect(await requestKnown(unproven, other, '196.41.70.20')).toBe(429);
  expect(await requestKnown(unproven, other, '196.41.70.21')).toBe(200);
});

test("an exhausted address does not raise a number's count of requests", async () => {
  const { phone } = await newPerson();
  await exhaust('196.41.70.30');
  for (let index = 0; index < 4; index++) expect(await request(phone, from('196.41.70.30'))).toBe(429);
  expect(await countAt(counterOf('reset_request', phone))).toBeNull();
  expect(await countAt(counterOf('code_number', phone))).toBeNull();
  for (let index = 0; index < 3; index++) expect(await request(phone, from('196.41.70.31'))).toBe(200);
});

test("a number that has had its requests does not raise an address's count", async () => {
  const number = newNumber();
  for (let index = 0; index < 5; index++) await request(number, from('196.41.70.40'));
  expect(await countAt(counterOf('code_address', '196.41.70.40'))).toBe(3);
});

test('a number gets ten codes a day from all strangers and of every kind, and its known device ten of its own', async () => {
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
