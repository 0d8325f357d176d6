import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CommunityDecisionJob } from '#contract/whatsapp.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { endOfDay } from '#worker/limits/day.ts';
import { recordFailed } from '#worker/whatsapp/message-store.ts';
import { takeMessage } from '#worker/whatsapp/take-message-store.ts';
import { newPerson, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { newNumber } from './support/numbers.ts';
import { newReachable } from './support/waiting.ts';
import { deliver, issueCode, readMessage, standInForMeta } from './support/whatsapp.ts';

let logs: ReturnType<typeof captureLogs>;
// Ten different people a day: four of them may be told something, and all may have lost their password.
let meta: ReturnType<typeof standInForMeta>;

beforeEach(async () => {
  logs = captureLogs();
  meta = standInForMeta({ WHATSAPP_DAILY_RECIPIENTS: '10', WHATSAPP_DECISION_TEMPLATE: 'community_decision' });
  await env.DB.exec('delete from whatsapp_recipients');
  await env.DB.exec("delete from rate_counters where subject like 'whatsapp_recipients:%'");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function decisionFor({ id }: Person): CommunityDecisionJob {
  const messageId = crypto.randomUUID();
  return {
    kind: 'community_decision',
    messageId,
    recipientId: id,
    communityName: 'Shule',
    outcome: 'approved',
    language: 'sw',
  };
}

const unproven = (count: number) => Promise.all(Array.from({ length: count }, () => newPerson()));
const people = (count: number) => Promise.all(Array.from({ length: count }, () => newReachable()));

/** A code to prove an invented number. */
async function insertProofCode() {
  const [requestId, number] = [crypto.randomUUID(), newNumber()];
  await env.DB.prepare(
    `insert into number_codes (id, kind, subject, number, code_digest, issued_at, language, updated_at)
     values (?1, 'prove_number', ?2, ?2, '', ?3, 'sw', 0)`,
  )
    .bind(requestId, number, Date.now())
    .run();
  return { kind: 'prove_number', requestId, language: 'sw' } as const;
}

async function tell(person: Person) {
  return deliver(meta.env, decisionFor(person));
}

async function sendCode({ phone }: Person) {
  const { job } = await issueCode(phone);
  return { job, ...(await deliver(meta.env, job)) };
}

function alarms(): string[] {
  return logs.error.mock.calls
    .map((entry) => JSON.stringify(entry))
    .filter((line) => line.includes('recipients_used_up'));
}

test('notices reach four tenths of the recipients, however many come at once; the rest wait, with an alarm', async () => {
  const outcomes = await Promise.all((await people(7)).map(tell));
  expect(meta.api.accepted).toHaveLength(4);
  const waiting = outcomes.filter(({ isAcked }) => !isAcked);
  expect(waiting).toHaveLength(3);
  const untilMidnight = (endOfDay(Date.now()) - Date.now()) / 1000;
  for (const { retryIn } of waiting) {
    expect(retryIn).toBeGreaterThan(Math.min(untilMidnight, 12 * 3600) - 10);
    expect(retryIn).toBeLessThanOrEqual(12 * 3600);
  }
  expect(alarms()).toHaveLength(3);
  expect(alarms()[0]).toContain('community_decision');
});

test('what notices have left is for codes: every known account gets one until the day is full', async () => {
  const [told, forgetful] = [await people(4), await people(7)];
  await Promise.all(told.map(tell));
  await Promise.all(forgetful.map(sendCode));
  expect(meta.api.accepted).toHaveLength(10);
  // A code is of no use tomorrow: it is laid among the dead letters.
  expect(meta.deadLetters).toHaveLength(1);
  expect(alarms()).toHaveLength(1);
});

test('a person is one recipient, whatever they get that day', async () => {
  const [person, ...others] = await people(4);
  if (!person) throw new Error('nobody');
  for (let index = 0; index < 3; index++) await tell(person);
  await sendCode(person);
  await Promise.all(others.map(tell));
  expect(meta.api.accepted).toHaveLength(7);
  expect(alarms()).toEqual([]);
});

test('a day that is full has room for those who were written to already', async () => {
  const known = await people(10);
  await Promise.all(known.map(sendCode));
  const [person] = known;
  if (!person) throw new Error('nobody');
  await tell(person);
  expect(meta.api.accepted).toHaveLength(11);
});

test('a message is counted once, however often the queue brings it, and not when nothing is sent', async () => {
  const [person, replaced] = await people(2);
  if (!person || !replaced) throw new Error('nobody');
  const job = decisionFor(person);
  meta.api.failNext({ code: 131000, httpStatus: 500 });
  await deliver(meta.env, job);
  await deliver(meta.env, job, { attempts: 2 });
  await deliver(meta.env, job, { attempts: 3 });
  const { job: old } = await issueCode(replaced.phone);
  await issueCode(replaced.phone);
  await deliver(meta.env, old);
  const { results } = await env.DB.prepare('select number from whatsapp_recipients').all();
  expect(results).toEqual([{ number: person.phone }]);
  expect(meta.api.accepted).toHaveLength(1);
  expect(await readMessage(job.messageId)).toMatchObject({ status: 'accepted' });
});

test('at midnight in Dar es Salaam there is room again, and whom yesterday was for is forgotten', async () => {
  await Promise.all((await people(4)).map(tell));
  const [late] = await people(1);
  if (!late) throw new Error('nobody');
  const job = decisionFor(late);
  expect((await deliver(meta.env, job)).isAcked).toBe(false);
  const midnight = endOfDay(Date.now());
  expect(new Date(midnight).toISOString()).toMatch(/T21:00:00\.000Z$/);
  vi.useFakeTimers({ toFake: ['Date'], now: midnight });
  expect((await deliver(meta.env, job, { attempts: 2, timestamp: new Date(midnight - 1000) })).isAcked).toBe(true);
  expect(meta.api.accepted).toHaveLength(5);
  await clearExpired(openDb(env), midnight);
  const { results } = await env.DB.prepare('select number from whatsapp_recipients').all();
  expect(results).toEqual([{ number: late.phone }]);
});

test('resets of numbers that nobody has proven get three tenths, with the proofs; those of proven numbers the rest', async () => {
  for (const person of await unproven(5)) await sendCode(person);
  expect(meta.api.accepted).toHaveLength(3);
  await deliver(meta.env, await insertProofCode());
  expect(meta.api.accepted).toHaveLength(3);
  await Promise.all((await people(8)).map(sendCode));
  expect(meta.api.accepted).toHaveLength(10);
});

const REFUSED = { code: 131026, httpStatus: 400 };

async function recipients() {
  const { results } = await env.DB.prepare('select number from whatsapp_recipients order by number').all();
  return results.map(({ number }) => number);
}

test('a number whose message Meta refuses does not count: after 300 of them a proven person gets a code', async () => {
  for (let index = 0; index < 300; index++) {
    meta.api.failNext(REFUSED);
    await deliver(meta.env, await insertProofCode());
  }
  expect(await recipients()).toEqual([]);
  const [person] = await people(1);
  if (!person) throw new Error('nobody');
  await sendCode(person);
  await deliver(meta.env, await insertProofCode());
  expect(meta.api.accepted).toHaveLength(2);
  expect(alarms()).toEqual([]);
}, 60_000);

test('a number counts on when a later message to it is refused, or when nobody knows whether one was accepted', async () => {
  const [person, unknown] = await people(2);
  if (!person || !unknown) throw new Error('nobody');
  await tell(person);
  meta.api.failNext(REFUSED);
  await tell(person);
  meta.api.failNext('drop');
  await tell(unknown);
  expect(await recipients()).toEqual([person.phone, unknown.phone].sort());
});

test('of two messages on their way to one number the refused one does not give back what the other needs', async () => {
  const [person] = await people(1);
  if (!person) throw new Error('nobody');
  const [first, second] = [decisionFor(person), decisionFor(person)];
  const db = openDb(env);
  for (const job of [first, second])
    await takeMessage(db, readConfig(meta.env), { job, queuedAt: Date.now() }, Date.now());
  await recordFailed(db, first, REFUSED.code, Date.now());
  expect(await recipients()).toEqual([person.phone]);
  await recordFailed(db, second, REFUSED.code, Date.now());
  expect(await recipients()).toEqual([]);
  const counts = await env.DB.prepare(
    "select sum(count) as n from rate_counters where subject like 'whatsapp_recipients:%'",
  ).first('n');
  expect(counts).toBe(0);
});

test('without another number it is 250', () => {
  expect(readConfig({ ...env }).whatsapp.dailyRecipients).toBe(250);
});
