import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { deliverEmail, proveEmail, standInForEmail } from './support/emails.ts';
import { connect, settled } from './support/live.ts';
import { passCalls } from './support/pass-calls.ts';
import { deliverPush, put, standInForPush, subscriptionsOf } from './support/push.ts';
import { alarmOf, ring, surround } from './support/telling.ts';
import { emailJob, newReachable, tellMatch, whatsappJob } from './support/waiting.ts';
import { deliver, standInForMeta } from './support/whatsapp.ts';

const STEPS = ['acknowledged_at', 'pushed_at', 'whatsapp_at', 'emailed_at', 'read_at', 'dismissed_at'] as const;
type Step = (typeof STEPS)[number];

beforeEach(async () => {
  captureLogs();
  await env.DB.exec('delete from whatsapp_pauses');
});
afterEach(() => vi.unstubAllGlobals());

/** When each step of the notice was recorded; the steps that were not are missing. */
async function readSteps(noticeId: string): Promise<Partial<Record<Step, number>>> {
  const row = await env.DB.prepare(`select ${STEPS.join()} from notices where id = ?`)
    .bind(noticeId)
    .first<Record<Step, number | null>>();
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, time]) => time !== null)) as Partial<
    Record<Step, number>
  >;
}

async function listSteps(noticeId: string): Promise<string[]> {
  return Object.keys(await readSteps(noticeId));
}

/** A page of the person shows the notice. */
async function acknowledge(person: Person, noticeId: string): Promise<void> {
  const live = await connect(person);
  live.acknowledge(noticeId);
  live.acknowledge(noticeId);
  await settled(live);
  live.socket.close();
}

async function sendPushes(person: Person, noticeId: string, change = {}): Promise<void> {
  for (const { id: subscriptionId } of await subscriptionsOf(person)) {
    const job = { kind: 'push' as const, userId: person.id, noticeId, subscriptionId, isSilent: false };
    expect((await deliverPush({ ...env, ...change }, job)).isAcked).toBe(true);
  }
}

async function sendWhatsapp(person: Person, noticeId: string): Promise<void> {
  const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
  await deliver(meta.env, whatsappJob(person, [noticeId]), { queue: 'patikana-notice-whatsapp' });
}

test('each step of a notice is recorded when it is first taken', async () => {
  const person = await newReachable();
  await proveEmail(person);
  const id = await tellMatch(person);
  expect(await listSteps(id)).toEqual([]);

  const push = standInForPush();
  for (let browsers = 0; browsers < 2; browsers++) await put(push.service.subscribe(), person);
  const taken: [step: Step, take: () => Promise<unknown>][] = [
    ['pushed_at', () => sendPushes(person, id)],
    ['whatsapp_at', () => sendWhatsapp(person, id)],
    ['emailed_at', () => deliverEmail(standInForEmail().env, emailJob(person, [id]))],
    ['acknowledged_at', () => acknowledge(person, id).then(() => ring(person))],
    ['read_at', () => call('POST', '/api/notices/read', { ids: [id] }, person)],
    ['dismissed_at', () => call('POST', `/api/notices/${id}/dismiss`, undefined, person)],
  ];
  for (const [index, [, take]] of taken.entries()) {
    await take();
    const steps = await readSteps(id);
    expect(Object.keys(steps).sort()).toEqual(
      taken
        .slice(0, index + 1)
        .map(([step]) => step)
        .sort(),
    );
    await take();
    expect(await readSteps(id)).toEqual(steps);
  }
});

test('an e-mail about three notices is recorded for those that are still unread', async () => {
  const person = await newReachable();
  await proveEmail(person);
  const ids = [await tellMatch(person), await tellMatch(person), await tellMatch(person)];
  await call('POST', '/api/notices/read', { ids: ids.slice(1, 2) }, person);
  await deliverEmail(standInForEmail().env, emailJob(person, ids));
  expect(await Promise.all(ids.map(listSteps))).toEqual([['emailed_at'], ['read_at'], ['emailed_at']]);
});

test('an acknowledgement is reported to the database until it is recorded there', async () => {
  const person = await newReachable();
  const id = await tellMatch(person);
  await acknowledge(person, id);
  expect(await alarmOf(person)).toBeLessThanOrEqual(Date.now() + 60_000);
  let asked = 0;
  await surround(person, ({ recordAcknowledged }) => ({
    async recordAcknowledged(acknowledged) {
      asked++;
      if (asked === 2) await recordAcknowledged(acknowledged);
      throw new Error('D1_ERROR: Network connection lost.');
    },
  }));
  await ring(person);
  expect(await listSteps(id)).toEqual([]);
  await ring(person);
  expect(await listSteps(id)).toEqual(['acknowledged_at']);
  await surround(person, () => ({ recordAcknowledged: async () => void asked++ }));
  await ring(person);
  await ring(person);
  expect(asked).toBe(3);
});

test('a notice acknowledged during a report is reported next', async () => {
  const person = await newReachable();
  const [first, second] = [await tellMatch(person), await tellMatch(person)];
  await acknowledge(person, first);
  const reported: string[] = [];
  await surround(person, () => ({
    async recordAcknowledged(acknowledged) {
      reported.push(...Object.keys(acknowledged));
      if (reported.length === 1) await acknowledge(person, second);
    },
  }));
  await ring(person);
  expect(reported).toEqual([first, second]);
});

test('a push that was sent but cannot be recorded is not sent again', async () => {
  const person = await newReachable();
  const id = await tellMatch(person);
  const push = standInForPush();
  await put(push.service.subscribe(), person);
  const DB = passCalls(env.DB, (act) => {
    if (push.requests.length > 0) throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.');
    return act();
  });
  await sendPushes(person, id, { DB });
  expect(push.requests).toHaveLength(1);
  expect(await listSteps(id)).toEqual([]);
});
