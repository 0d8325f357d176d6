import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LocalWhatsappMessage } from '#contract/whatsapp.ts';
import { endOfDay } from '#worker/limits/day.ts';
import { call, newPerson } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { SETTLED } from './support/deliver-job.ts';
import {
  newReachable,
  quietNow,
  tellMatch,
  WAYS_TO_END,
  type WaysToEnd,
  want,
  whatsappJob,
} from './support/waiting.ts';
import { DEAD_QUEUE, deliver, issueCode, readMessage, standInForMeta } from './support/whatsapp.ts';

const QUEUE = 'patikana-notice-whatsapp';
const SET_UP = { WHATSAPP_APP_SECRET: 'the-app-secret', WHATSAPP_MATCH_TEMPLATE: 'match_notice' };

let logs: ReturnType<typeof captureLogs>;
let meta: ReturnType<typeof standInForMeta>;

beforeEach(async () => {
  logs = captureLogs();
  meta = standInForMeta(SET_UP);
  await env.DB.exec('delete from whatsapp_pauses');
  await env.DB.exec('delete from whatsapp_recipients');
  await env.DB.exec("delete from rate_counters where subject like 'whatsapp_recipients:%'");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function bring(job: unknown, options: { attempts?: number; timestamp?: Date } = {}, bindings = meta.env) {
  return deliver(bindings, job, { queue: QUEUE, ...options });
}

test.each(['en', 'sw'] as const)(
  'a match goes out by its template in %s, with the title of their own post',
  async (language) => {
    const person = await newReachable(language);
    const id = await tellMatch(person, 'Nimepoteza   simu\u00a0yangu 0712345678');
    expect(await bring(whatsappJob(person, [id], { language }))).toEqual(SETTLED);
    expect(meta.api.accepted).toEqual([
      { to: person.phone, template: 'match_notice', language, body: ['Nimepoteza simu yangu •••'], button: null },
    ]);
    expect(await readMessage(id)).toMatchObject({ status: 'accepted', wamid: expect.stringContaining('wamid.') });
  },
);

test.each([
  ['en', '7 notices that wait for you'],
  ['sw', 'arifa 7 zinazokusubiri'],
] as const)('several that have waited are one message in %s, which says how many', async (language, text) => {
  const person = await newReachable(language);
  const ids = [await tellMatch(person), await tellMatch(person)];
  await bring(whatsappJob(person, ids, { language, waiting: 7 }));
  expect(meta.api.accepted.map(({ body }) => body)).toEqual([[text]]);
});

test('where the template is missing in Swahili it goes out in English', async () => {
  meta = standInForMeta({ ...SET_UP, WHATSAPP_MATCH_TEMPLATE: 'match_in_english' });
  const person = await newReachable();
  expect(await bring(whatsappJob(person, [await tellMatch(person)]))).toEqual(SETTLED);
  expect(meta.api.accepted.map(({ language }) => language)).toEqual(['en']);
});

test('a job that comes twice is one message', async () => {
  const person = await newReachable();
  const job = whatsappJob(person, [await tellMatch(person)]);
  await Promise.all(Array.from({ length: 4 }, () => bring(job)));
  await bring(job, { attempts: 2 });
  expect(meta.api.calls).toHaveLength(1);
});

const OVER: WaysToEnd = [
  ...WAYS_TO_END,
  ['is of a person who has switched it off', (person) => want(person, { whatsapp: false })],
  [
    'is of a person whose number is not proven any more',
    ({ id }) => env.DB.prepare('update phone_numbers set proven_at = null where user_id = ?').bind(id).run(),
  ],
];

test.each(OVER)('what %s since it was queued is not sent', async (_what, change) => {
  const person = await newReachable();
  const id = await tellMatch(person);
  await change(person, id);
  expect(await bring(whatsappJob(person, [id]))).toEqual(SETTLED);
  expect(meta.api.calls).toEqual([]);
  expect(meta.deadLetters).toEqual([]);
});

test.each([
  ['without the app’s secret, for a STOP would be lost', { WHATSAPP_APP_SECRET: '' }],
  ['without a template', { WHATSAPP_MATCH_TEMPLATE: '' }],
])('%s none is sent', async (_what, vars) => {
  meta = standInForMeta({ ...SET_UP, ...vars });
  const person = await newReachable();
  expect(await bring(whatsappJob(person, [await tellMatch(person)]))).toEqual(SETTLED);
  expect(meta.api.calls).toEqual([]);
});

test('the local transport lists it, without a code', async () => {
  const person = await newReachable();
  await bring(whatsappJob(person, [await tellMatch(person)]), {}, env as never);
  const answer = await call('GET', `/api/dev/whatsapp-messages?to=${encodeURIComponent(person.phone)}`);
  expect(await answer.json<LocalWhatsappMessage[]>()).toMatchObject([
    { to: person.phone, kind: 'match_notice', language: 'sw', code: null },
  ]);
});

test('notices get four tenths of a day’s recipients; what has no room waits, with an alarm, and codes go on', async () => {
  meta = standInForMeta({ ...SET_UP, WHATSAPP_DAILY_RECIPIENTS: '5' });
  const people = [await newReachable(), await newReachable(), await newReachable()];
  const jobs = [];
  for (const person of people) jobs.push(whatsappJob(person, [await tellMatch(person)]));
  const outcomes = [];
  for (const job of jobs) outcomes.push(await bring(job));
  expect(outcomes.map(({ isAcked }) => isAcked)).toEqual([true, true, false]);
  expect(logs.error).toHaveBeenCalledWith(
    expect.objectContaining({ event: 'whatsapp_recipients_used_up', kind: 'match_notice' }),
  );
  for (let index = 0; index < 3; index++) await deliver(meta.env, (await issueCode((await newReachable()).phone)).job);
  expect(meta.api.accepted.map(({ template }) => template).sort()).toEqual([
    ...Array(2).fill('match_notice'),
    ...Array(3).fill('verification_code'),
  ]);
  // The next day has room again, but at midnight whoever waited is asleep.
  const midnight = endOfDay(Date.now());
  vi.useFakeTimers({ toFake: ['Date'], now: midnight + 60_000 });
  const [, , late] = people;
  if (!late) throw new Error('nobody');
  await want(late, { quiet_from: '21:00', quiet_to: '06:00' });
  const held = await bring(jobs[2], { attempts: 2, timestamp: new Date(midnight - 3_600_000) });
  expect(held).toEqual({ isAcked: false, retryIn: 6 * 3600 - 60 });
  vi.setSystemTime(midnight + 6 * 3_600_000);
  expect(await bring(jobs[2], { attempts: 3, timestamp: new Date(midnight - 3_600_000) })).toEqual(SETTLED);
  expect(meta.api.accepted.at(-1)?.to).toBe(late.phone);
});

test('one that comes to be sent in quiet hours waits for their end', async () => {
  const person = await newReachable();
  const job = whatsappJob(person, [await tellMatch(person)]);
  await want(person, quietNow());
  const { isAcked, retryIn } = await bring(job);
  expect([isAcked, meta.api.calls.length]).toEqual([false, 0]);
  expect(retryIn).toBeGreaterThan(118 * 60);
});

// Where it is missing in Swahili it is tried in English.
test.each([
  [132001, 2],
  [132015, 1],
  [132016, 1],
])('error %i of its template stops notices and delays no code', async (code, tries) => {
  const person = await newReachable();
  const job = whatsappJob(person, [await tellMatch(person)]);
  meta.api.failNext(...Array.from({ length: tries }, () => ({ code, httpStatus: 400 })));
  expect((await bring(job)).retryIn).toBeGreaterThanOrEqual(60);
  const other = await newReachable();
  const calls = meta.api.calls.length;
  expect((await bring(whatsappJob(other, [await tellMatch(other)]))).isAcked).toBe(false);
  expect(meta.api.calls).toHaveLength(calls);
  await deliver(meta.env, (await issueCode((await newPerson()).phone)).job);
  expect(meta.api.accepted.map(({ template }) => template)).toEqual(['verification_code']);
});

test('an error of our number stops codes as well', async () => {
  const person = await newReachable();
  meta.api.failNext({ code: 131048, httpStatus: 400 });
  await bring(whatsappJob(person, [await tellMatch(person)]));
  expect((await deliver(meta.env, (await issueCode((await newPerson()).phone)).job)).isAcked).toBe(false);
});

test('what can never be sent is a dead letter', async () => {
  const person = await newReachable();
  const job = whatsappJob(person, [await tellMatch(person)]);
  meta.api.failNext({ code: 131026, httpStatus: 400 });
  expect(await bring(job)).toEqual(SETTLED);
  expect(meta.deadLetters).toEqual([job]);
  await deliver(meta.env, job, { queue: DEAD_QUEUE });
  expect(await readMessage(job.messageId)).toMatchObject({ status: 'failed', error_code: 131026 });
});

test('no log has a number or a title', async () => {
  const person = await newReachable();
  meta.api.failNext({ code: 131000, httpStatus: 500 });
  const job = whatsappJob(person, [await tellMatch(person, 'Siri ya ndani')]);
  await bring(job);
  await bring(job, { attempts: 2 });
  const lines = JSON.stringify(Object.values(logs).map(({ mock }) => mock.calls));
  expect(lines).toContain('whatsapp_accepted');
  for (const secret of [person.phone, 'Siri ya ndani', person.email]) expect(lines).not.toContain(secret);
});
