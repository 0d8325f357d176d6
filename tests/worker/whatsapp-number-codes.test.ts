import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NumberCodeKind } from '#contract/whatsapp.ts';
import { openDb } from '#worker/db/client.ts';
import { finishQueueing } from '#worker/whatsapp/index.ts';
import { keepMessage } from '#worker/whatsapp/outbox-store.ts';
import { newPerson } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { SETTLED } from './support/deliver-job.ts';
import { newNumber } from './support/numbers.ts';
import { DEAD_QUEUE, deliver, standInForMeta } from './support/whatsapp.ts';

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

/** A code as a request leaves it in D1, without the queue. @returns its job. */
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

test.each(['prove_number', 'change_number'] as const)('a code to %s goes to its number, once', async (kind) => {
  const job = await insertCode({ kind });
  meta.api.failNext({ code: 131000, httpStatus: 500 });
  expect((await bring(job)).isAcked).toBe(false);
  expect(await readCode(job)).toEqual({ status: 'waiting', attempts: 1, error_code: 131000, wamid: null });
  for (const attempts of [2, 3]) expect(await bring(job, { attempts })).toEqual(SETTLED);
  expect(meta.api.accepted).toMatchObject([{ to: job.number, template: 'verification_code', language: 'sw' }]);
  const wamid = expect.stringContaining('wamid.');
  expect(await readCode(job)).toEqual({ status: 'accepted', attempts: 2, error_code: null, wamid });
});

test('what is given up ends as a dead letter, and its code as failed', async () => {
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

test('a newer code for the same purpose replaces it; one for another purpose or subject does not', async () => {
  const number = newNumber();
  const replaced = await insertCode({ number, ageMs: 2_000 });
  const newer = await insertCode({ number, ageMs: 1_000 });
  await insertCode({ number, kind: 'change_number' });
  await insertCode();
  for (const job of [replaced, newer]) expect(await bring(job)).toEqual(SETTLED);
  expect(await readCode(replaced)).toMatchObject({ status: 'waiting' });
  expect(await readCode(newer)).toMatchObject({ status: 'accepted' });
});

test('a code that was used, or has expired, is not sent', async () => {
  const [used, expired] = [await insertCode(), await insertCode({ ageMs: 300_000 })];
  await env.DB.prepare("update number_codes set used_by = 'mtu' where id = ?").bind(used.requestId).run();
  for (const job of [used, expired]) expect(await bring(job)).toEqual(SETTLED);
  expect(meta.api.calls).toEqual([]);
});

test('codes for numbers get three tenths of a day’s recipients, whatever they are for', async () => {
  meta = standInForMeta({ WHATSAPP_DAILY_RECIPIENTS: '10' });
  const kinds = ['prove_number', 'change_number', 'prove_number', 'change_number', 'prove_number'] as const;
  for (const kind of kinds) await bring(await insertCode({ kind }));
  expect(meta.api.accepted).toHaveLength(3);
  expect(logs.error.mock.calls.map(([line]) => [line.event, line.kind])).toEqual([
    ['whatsapp_recipients_used_up', 'change_number'],
    ['whatsapp_recipients_used_up', 'prove_number'],
  ]);
});

test('without limits, as under a load test, nobody is counted out', async () => {
  const WITHOUT = { WHATSAPP_TRANSPORT: 'local', RATE_LIMITS: 'off', WHATSAPP_DAILY_RECIPIENTS: '1' };
  const jobs = [await insertCode(), await insertCode()];
  for (const job of jobs) await bring(job, {}, { ...meta.env, ...WITHOUT });
  for (const job of jobs) expect(await readCode(job)).toMatchObject({ status: 'accepted' });
});

test('a message is queued by the sweep ten seconds after it was stored, and a failure is logged', async () => {
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
