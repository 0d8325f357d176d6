import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommunityDecisionJob, NumberCodeKind } from '#contract/jobs.ts';
import { newPerson, type Person } from '#tests/worker/support/api.ts';
import {
  DEAD_QUEUE,
  deliver,
  issueCode,
  readMessage,
  SETTLED,
  standInForMeta,
} from '#tests/worker/support/messages.ts';
import { newReachable } from '#tests/worker/support/notices.ts';
import { newNumber } from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { endOfDay } from '#worker/limits/limits.ts';
import { clearExpired } from '#worker/retention.ts';
import { finishQueueing, keepMessage } from '#worker/whatsapp/queue-message.ts';
import { recordFailed, takeMessage } from '#worker/whatsapp/take-message.ts';

describe('verification codes by WhatsApp', () => {
  const NOW = Date.now();

  let meta: ReturnType<typeof standInForMeta>;
  let logs: ReturnType<typeof captureLogs>;

  beforeEach(async () => {
    logs = captureLogs();
    meta = standInForMeta();
    await env.DB.exec('delete from whatsapp_pauses');
    await env.DB.exec('delete from whatsapp_recipients');
    await env.DB.exec("delete from rate_counters where subject like 'whatsapp_recipients:%'");
  });
  afterEach(() => vi.unstubAllGlobals());

  type Code = { kind?: NumberCodeKind; subject?: string; ageMs?: number; number?: string };

  /**
   * Inserts a verification code into D1, as the API does when a user requests a code, but queues no job.
   * @returns the job that sends the code, with the code's phone number.
   */
  async function insertCode({ kind = 'prove_number', number = newNumber(), subject = number, ageMs = 0 }: Code = {}) {
    const requestId = crypto.randomUUID();
    await env.DB.prepare(
      `insert into number_codes (id, kind, subject, number, code_digest, issued_at, language, updated_at)
     values (?, ?, ?, ?, '', ?, 'sw', 0)`,
    )
      .bind(requestId, kind, subject, number, NOW - ageMs)
      .run();
    return { kind, requestId, language: 'sw' as const, number };
  }

  type Job = Awaited<ReturnType<typeof insertCode>>;

  function bring({ number: _, ...job }: Job, options = {}, bindings = meta.env) {
    return deliver(bindings, job, options);
  }

  function readCode({ requestId }: Job) {
    return env.DB.prepare('select status, attempts, error_code, wamid from number_codes where id = ?')
      .bind(requestId)
      .first();
  }

  test.each(['prove_number', 'change_number'] as const)(
    'a verification code for the purpose %s is sent to the phone number once',
    async (kind) => {
      const job = await insertCode({ kind });
      meta.api.failNext({ code: 131000, httpStatus: 500 });
      expect((await bring(job)).isAcked).toBe(false);
      expect(await readCode(job)).toEqual({ status: 'waiting', attempts: 1, error_code: 131000, wamid: null });
      for (const attempts of [2, 3]) expect(await bring(job, { attempts })).toEqual(SETTLED);
      expect(meta.api.accepted).toMatchObject([{ to: job.number, template: 'verification_code', language: 'sw' }]);
      const wamid = expect.stringContaining('wamid.');
      expect(await readCode(job)).toEqual({ status: 'accepted', attempts: 2, error_code: null, wamid });
    },
  );

  test('a verification code that Meta refuses, or whose message becomes a dead letter, is marked as failed', async () => {
    const [refused, waiting] = [await insertCode(), await insertCode()];
    meta.api.failNext({ code: 131026, httpStatus: 400 });
    expect(await bring(refused)).toEqual(SETTLED);
    expect(meta.deadLetters).toHaveLength(1);
    expect(await readCode(refused)).toMatchObject({ status: 'failed', error_code: 131026 });
    await bring(waiting, { queue: DEAD_QUEUE });
    expect(await readCode(waiting)).toMatchObject({ status: 'failed' });
    expect(logs.error).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'whatsapp_dead_letter', id: waiting.requestId, kind: 'prove_number' }),
    );
  });

  test('a verification code is replaced by a newer code only if both codes have the same purpose and phone number', async () => {
    const number = newNumber();
    const replaced = await insertCode({ number, ageMs: 2_000 });
    const newer = await insertCode({ number, ageMs: 1_000 });
    await insertCode({ number, kind: 'change_number' });
    await insertCode();
    for (const job of [replaced, newer]) expect(await bring(job)).toEqual(SETTLED);
    expect(await readCode(replaced)).toMatchObject({ status: 'waiting' });
    expect(await readCode(newer)).toMatchObject({ status: 'accepted' });
  });

  test('a verification code that is used or expired is not sent', async () => {
    const [used, expired] = [await insertCode(), await insertCode({ ageMs: 300_000 })];
    await env.DB.prepare("update number_codes set used_by = 'mtu' where id = ?").bind(used.requestId).run();
    for (const job of [used, expired]) expect(await bring(job)).toEqual(SETTLED);
    expect(meta.api.calls).toEqual([]);
  });

  test('verification codes to prove or to change a number together use at most 30% of the daily limit of WhatsApp recipients', async () => {
    meta = standInForMeta({ WHATSAPP_DAILY_RECIPIENTS: '10' });
    const kinds = ['prove_number', 'change_number', 'prove_number', 'change_number', 'prove_number'] as const;
    for (const kind of kinds) await bring(await insertCode({ kind }));
    expect(meta.api.accepted).toHaveLength(3);
    expect(logs.error.mock.calls.map(([line]) => [line.event, line.kind])).toEqual([
      ['whatsapp_recipients_used_up', 'change_number'],
      ['whatsapp_recipients_used_up', 'prove_number'],
    ]);
  });

  test('with RATE_LIMITS=off, as in a load test, the daily limit of recipients is not enforced', async () => {
    const WITHOUT = { WHATSAPP_TRANSPORT: 'local', RATE_LIMITS: 'off', WHATSAPP_DAILY_RECIPIENTS: '1' };
    const jobs = [await insertCode(), await insertCode()];
    for (const job of jobs) await bring(job, {}, { ...meta.env, ...WITHOUT });
    for (const job of jobs) expect(await readCode(job)).toMatchObject({ status: 'accepted' });
  });

  test('the scheduled job queues messages that were stored ten seconds ago but never queued, and logs each message that it cannot queue', async () => {
    const db = openDb(env);
    const { id: recipientId } = await newPerson();
    await env.DB.exec('delete from whatsapp_outbox');
    for (const [messageId, storedAt] of [
      ['second', NOW - 1],
      ['first', NOW - 2],
      ['third', NOW],
    ] as const) {
      await keepMessage(db, { kind: 'stopped', messageId, recipientId, language: 'sw' }, sql`true`, storedAt);
    }
    await keepMessage(db, { kind: 'stopped', messageId: 'none', recipientId, language: 'sw' }, sql`false`, NOW - 9);
    const sent: unknown[] = [];
    const send = async (job: { messageId: string }) => void sent.push(job.messageId);
    const bindings = { ...env, WHATSAPP_QUEUE: { send } } as never;
    await finishQueueing(bindings, db, NOW + 9_999);
    expect(sent.sort()).toEqual(['first', 'second']);
    const unreachable = { ...env, WHATSAPP_QUEUE: { send: () => Promise.reject(new TypeError('full')) } } as never;
    await finishQueueing(unreachable, db, NOW + 10_000);
    expect(logs.warn).toHaveBeenCalledWith({ event: 'message_not_queued', kind: 'stopped', name: 'TypeError' });
    const { results } = await env.DB.prepare('select message_id, failures from whatsapp_outbox').all();
    expect(results).toEqual([{ message_id: 'third', failures: 1 }]);
  });
});

describe('the daily limit of WhatsApp recipients', () => {
  let logs: ReturnType<typeof captureLogs>;
  // WhatsApp messages may go to ten people a day. Notices may go to only four of them; codes for a new password may go
  // to all ten.
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

  /** Inserts a verification code for an invented phone number. */
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

  test('concurrent notices use at most 40% of the daily limit; the other notices wait, and an alarm is raised', async () => {
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

  test('reset codes can use the part of the daily limit that notices have not used', async () => {
    const [told, forgetful] = [await people(4), await people(7)];
    await Promise.all(told.map(tell));
    await Promise.all(forgetful.map(sendCode));
    expect(meta.api.accepted).toHaveLength(10);
    // A code is useless tomorrow, so a code beyond the day's limit becomes a dead letter.
    expect(meta.deadLetters).toHaveLength(1);
    expect(alarms()).toHaveLength(1);
  });

  test('a person counts as one recipient a day, however many messages they receive', async () => {
    const [person, ...others] = await people(4);
    if (!person) throw new Error('nobody');
    for (let index = 0; index < 3; index++) await tell(person);
    await sendCode(person);
    await Promise.all(others.map(tell));
    expect(meta.api.accepted).toHaveLength(7);
    expect(alarms()).toEqual([]);
  });

  test('once the limit is reached, people who already got a message that day can still get further messages', async () => {
    const known = await people(10);
    await Promise.all(known.map(sendCode));
    const [person] = known;
    if (!person) throw new Error('nobody');
    await tell(person);
    expect(meta.api.accepted).toHaveLength(11);
  });

  test('repeated attempts to send a message count as one recipient, and a message that is not sent does not count', async () => {
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

  test('at midnight in Dar es Salaam the count restarts, and the previous day’s recipients are deleted', async () => {
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

  test('reset and verification codes to unproven numbers use at most 30% of the limit; reset codes to proven numbers may use the rest', async () => {
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

  test('a phone number whose message Meta refuses does not count as a recipient', async () => {
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

  test('a recipient stays counted if Meta refuses a second message, or if the connection breaks before Meta’s response', async () => {
    const [person, unknown] = await people(2);
    if (!person || !unknown) throw new Error('nobody');
    await tell(person);
    meta.api.failNext(REFUSED);
    await tell(person);
    meta.api.failNext('drop');
    await tell(unknown);
    expect(await recipients()).toEqual([person.phone, unknown.phone].sort());
  });

  test('a recipient with two messages in transit stays counted until Meta has refused both', async () => {
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

  test('by default the limit is 250 WhatsApp recipients a day', () => {
    expect(readConfig({ ...env }).whatsapp.dailyRecipients).toBe(250);
  });
});
