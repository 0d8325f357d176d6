import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Env } from '#worker/env.ts';
import { ask, newPerson } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { SETTLED } from './support/deliver-job.ts';
import { passCalls } from './support/pass-calls.ts';
import { newReachable, tellMatch, whatsappJob } from './support/waiting.ts';
import { DEAD_QUEUE, deliver, issueCode, readMessage, standInForMeta } from './support/whatsapp.ts';

const SET_UP = {
  WHATSAPP_APP_SECRET: 'the-app-secret',
  WHATSAPP_MATCH_TEMPLATE: 'match_notice',
  WHATSAPP_DECISION_TEMPLATE: 'community_decision',
};

let logs: ReturnType<typeof captureLogs>;
let meta: ReturnType<typeof standInForMeta>;

beforeEach(async () => {
  logs = captureLogs();
  meta = standInForMeta(SET_UP);
  await env.DB.exec('delete from whatsapp_pauses');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Letter = { id: string };

function decision({ id: recipientId }: Letter): WhatsappJob {
  const messageId = crypto.randomUUID();
  const what = { communityName: 'Chuo', outcome: 'approved', language: 'sw' } as const;
  return { kind: 'community_decision', messageId, recipientId, ...what };
}

function answer({ id: recipientId }: Letter, kind: 'stopped' | 'started' = 'stopped'): WhatsappJob {
  return { kind, messageId: crypto.randomUUID(), recipientId, language: 'sw' };
}

function dropped(): unknown[] {
  return logs.log.mock.calls
    .map(([line]) => line)
    .filter(({ event }) => event === 'whatsapp_dropped')
    .map(({ kind, reason }) => [kind, reason]);
}

test.each([
  ['match_notice', 36],
  ['community_decision', 24],
  ['stopped', 23],
  ['started', 23],
] as const)('a message of the kind %s is sent within %i hours, and not after', async (kind, hours) => {
  const person = await newReachable();
  const newJob = async () => {
    if (kind === 'match_notice') return whatsappJob(person, [await tellMatch(person)]);
    return kind === 'community_decision' ? decision(person) : answer(person, kind);
  };
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const late = await deliver(meta.env, await newJob(), { timestamp: new Date(now - hours * HOUR_MS) });
  expect([late, meta.api.calls.length, dropped()]).toEqual([SETTLED, 0, [[kind, 'expired']]]);
  expect(await deliver(meta.env, await newJob(), { timestamp: new Date(now - hours * HOUR_MS + 5_000) })).toEqual(
    SETTLED,
  );
  expect(meta.api.accepted).toHaveLength(1);
  expect(meta.deadLetters).toEqual([]);
});

test('why nothing is sent is logged: replaced, without a number, sent before, over', async () => {
  const person = await newReachable();
  const old = await issueCode(person.phone);
  await issueCode(person.phone);
  await deliver(meta.env, old.job);
  const without = await newPerson();
  await env.DB.prepare('delete from phone_numbers where user_id = ?').bind(without.id).run();
  await deliver(meta.env, decision(without));
  const twice = decision(person);
  for (const attempts of [1, 2]) await deliver(meta.env, twice, { attempts });
  await deliver(meta.env, whatsappJob(person, [crypto.randomUUID()]));
  expect(dropped()).toEqual([
    ['reset_code', 'replaced'],
    ['community_decision', 'unknown_recipient'],
    ['community_decision', 'taken_before'],
    ['match_notice', 'ended'],
  ]);
  expect(meta.api.calls).toHaveLength(1);
  expect(logs.log).toHaveBeenCalledWith({
    event: 'whatsapp_accepted',
    job_id: expect.any(String),
    kind: 'community_decision',
    attempt: 1,
  });
});

test('an answer goes to a number that is proven, of somebody who is still there', async () => {
  const [unproven, gone] = [await newPerson(), await newReachable()];
  await env.DB.prepare('update users set closed_at = 1 where id = ?').bind(gone.id).run();
  for (const person of [unproven, gone]) expect(await deliver(meta.env, answer(person))).toEqual(SETTLED);
  expect(meta.api.calls).toEqual([]);
});

test('a notice is tried fifty times, and a decision nine', async () => {
  const person = await newReachable();
  const [notice, word] = [whatsappJob(person, [await tellMatch(person)]), decision(person)];
  const fault = { code: 131000, httpStatus: 500 };
  for (const [job, attempts, isAcked] of [
    [notice, 49, false],
    [word, 8, false],
    [notice, 50, true],
    [word, 9, true],
  ] as const) {
    meta.api.failNext(fault);
    expect((await deliver(meta.env, job, { attempts })).isAcked).toBe(isAcked);
  }
  expect(meta.deadLetters).toEqual([notice, word]);
  expect(logs.warn).toHaveBeenCalledWith({
    event: 'whatsapp_refused',
    job_id: expect.any(String),
    kind: 'match_notice',
    attempt: 49,
    error_code: 131000,
    http_status: 500,
    verdict: 'retry',
  });
});

test('an alarm about a stop says what was refused and how long sending pauses: a minute, to the millisecond', async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { job } = await issueCode((await newPerson()).phone);
  meta.api.failNext({ code: 190, httpStatus: 401 });
  const { retryIn } = await deliver(meta.env, job, { attempts: 2 });
  expect(retryIn).toBeLessThanOrEqual(65);
  const entry = { kind: 'reset_code', attempt: 2, error_code: 190, http_status: 401, pause_seconds: 60 };
  expect(logs.error).toHaveBeenCalledWith({ event: 'whatsapp_stopped', job_id: expect.any(String), ...entry });
  vi.setSystemTime(now + 59_999);
  expect((await deliver(meta.env, job, { attempts: 3 })).isAcked).toBe(false);
  vi.setSystemTime(now + 60_000);
  expect(await deliver(meta.env, job, { attempts: 4 })).toEqual(SETTLED);
  expect(meta.api.accepted).toHaveLength(1);
});

test('in English the template is asked for once, and in Swahili an alarm says that it is missing', async () => {
  meta = standInForMeta({ WHATSAPP_RESET_TEMPLATE: 'not_made_yet' });
  const { job } = await issueCode((await newPerson()).phone, { language: 'en' });
  await deliver(meta.env, job);
  expect(meta.api.calls).toHaveLength(1);
  meta = standInForMeta({ WHATSAPP_RESET_TEMPLATE: 'reset_in_english' });
  await env.DB.exec('delete from whatsapp_pauses');
  await deliver(meta.env, (await issueCode((await newPerson()).phone, { language: 'sw' })).job);
  const missing = logs.error.mock.calls.filter(([line]) => line.event === 'whatsapp_template_missing');
  const entry = { event: 'whatsapp_template_missing', job_id: expect.any(String) };
  expect(missing).toEqual([[{ ...entry, kind: 'reset_code', language: 'sw' }]]);
});

test('Meta is given ten seconds to answer, where there is time', async () => {
  const timeouts = vi.spyOn(AbortSignal, 'timeout');
  await deliver(meta.env, (await issueCode((await newPerson()).phone)).job);
  expect(timeouts.mock.calls).toEqual([[10_000]]);
});

test('while the database cannot be asked a message comes back, a minute later at most', async () => {
  const { job } = await issueCode((await newPerson()).phone);
  const DB = passCalls(env.DB, () => Promise.reject(new TypeError('D1_ERROR: no such thing')));
  for (const [attempts, retryIn] of [
    [5, 32],
    [6, 60],
    [9, 60],
  ] as const)
    expect(await deliver({ ...meta.env, DB } as Env, job, { attempts })).toEqual({ isAcked: false, retryIn });
  const failed = { event: 'whatsapp_consumer_failed', job_id: expect.any(String), name: expect.any(String) };
  expect(logs.error.mock.calls.at(-1)).toEqual([failed]);
  expect(meta.api.calls).toEqual([]);
});

test('a message that was sent but could not be recorded raises an alarm', async () => {
  const { job } = await issueCode((await newPerson()).phone);
  const DB = passCalls(env.DB, (act) => {
    if (meta.api.calls.length > 0) throw new TypeError('D1_ERROR: no such thing');
    return act();
  });
  expect(await deliver({ ...meta.env, DB } as Env, job)).toEqual(SETTLED);
  const entry = { event: 'whatsapp_acceptance_not_recorded', job_id: expect.any(String), name: expect.any(String) };
  expect(logs.error.mock.calls).toEqual([[entry]]);
});

test('a refused message waits for its retry though the database answers late', async () => {
  const { job } = await issueCode((await newPerson()).phone);
  meta.api.failNext({ code: 131000, httpStatus: 500 });
  let failures = 0;
  const DB = passCalls(env.DB, (act) => {
    if (meta.api.calls.length > 0 && ++failures <= 3) throw new TypeError('D1_ERROR: no such thing');
    return act();
  });
  expect((await deliver({ ...meta.env, DB } as Env, job)).isAcked).toBe(false);
  expect(await readMessage(job.requestId)).toMatchObject({ status: 'waiting', error_code: 131000 });
  expect(await deliver(meta.env, job, { attempts: 2 })).toEqual(SETTLED);
  expect(meta.api.accepted).toHaveLength(1);
});

test('a dead letter ends a message whose sender died', async () => {
  const { job } = await issueCode((await newPerson()).phone);
  await deliver(meta.env, job);
  await env.DB.prepare("update whatsapp_messages set status = 'sending' where id = ?").bind(job.requestId).run();
  await deliver(meta.env, job, { queue: DEAD_QUEUE });
  expect(await readMessage(job.requestId)).toMatchObject({ status: 'failed' });
  const entry = { event: 'whatsapp_dead_letter', job_id: expect.any(String), id: job.requestId, kind: 'reset_code' };
  expect(logs.error).toHaveBeenCalledWith(entry);
});

test('a code that the queue does not take is answered so, with an alarm', async () => {
  const WHATSAPP_QUEUE = { send: () => Promise.reject(new TypeError('Too Many Requests')) };
  const { phone } = await newPerson();
  const refused = await ask({ WHATSAPP_QUEUE }, '/api/auth/request-password-reset', { whatsapp_number: phone });
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(logs.error).toHaveBeenCalledWith(expect.objectContaining({ event: 'code_not_queued', name: 'TypeError' }));
});
