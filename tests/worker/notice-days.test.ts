import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AdminNoticeDay } from '#contract/admin.ts';
import { DAY_MS } from '#contract/durations.ts';
import { clearExpired } from '#worker/clear-expired.ts';
import { openDb } from '#worker/db/client.ts';
import { dayOf } from '#worker/limits/day.ts';
import { call, newPerson, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { deliverEmail, proveEmail, standInForEmail } from './support/emails.ts';
import { connect, settled } from './support/live.ts';
import { passCalls } from './support/pass-calls.ts';
import { deliverPush, put, standInForPush, subscriptionsOf } from './support/push.ts';
import { alarmOf, ring, surround } from './support/telling.ts';
import { emailJob, newReachable, tellClaim, tellMatch, whatsappJob } from './support/waiting.ts';
import { deliver, standInForMeta } from './support/whatsapp.ts';

const NOTHING = { stored: 0, acknowledged: 0, pushed: 0, whatsapp: 0, emailed: 0, opened: 0, dismissed: 0 };

let admin: Person;

beforeEach(async () => {
  captureLogs();
  admin = await newPlatformAdmin();
  await env.DB.exec('delete from notice_days');
  await env.DB.exec('delete from whatsapp_pauses');
});
afterEach(() => vi.unstubAllGlobals());

async function readDays(query = ''): Promise<AdminNoticeDay[]> {
  const answer = await call('GET', `/api/admin/notice-days${query}`, undefined, admin);
  expect(answer.status).toBe(200);
  return answer.json<AdminNoticeDay[]>();
}

async function expectMatches(counts: Partial<AdminNoticeDay>): Promise<void> {
  const day = new Date(Date.now() + DAY_MS / 8).toISOString().slice(0, 10);
  expect(await readDays()).toEqual([{ day, type: 'matching_post', ...NOTHING, ...counts }]);
}

/** A page of theirs shows the notice. */
async function acknowledge(person: Person, noticeId: string): Promise<void> {
  const live = await connect(person);
  live.acknowledge(noticeId);
  live.acknowledge(noticeId);
  await settled(live);
  live.socket.close();
}

/** Brings the push to each of the person's browsers, as often as the queue may. */
async function bringPushes(person: Person, noticeId: string, times: number, change = {}): Promise<void> {
  for (const { id: subscriptionId } of await subscriptionsOf(person)) {
    const job = { kind: 'push' as const, userId: person.id, noticeId, subscriptionId, isSilent: false };
    const bindings = { ...env, ...change };
    for (let time = 0; time < times; time++) expect((await deliverPush(bindings, job)).isAcked).toBe(true);
  }
}

test('a notice is counted at each step of its way, once, however often the step is taken', async () => {
  const person = await newReachable();
  await proveEmail(person);
  const id = await tellMatch(person);
  await expectMatches({ stored: 1 });

  const push = standInForPush();
  for (let browsers = 0; browsers < 2; browsers++) await put(push.service.subscribe(), person);
  await bringPushes(person, id, 2);
  expect(push.requests).toHaveLength(4);
  await expectMatches({ stored: 1, pushed: 1 });

  const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
  for (let time = 0; time < 2; time++)
    await deliver(meta.env, whatsappJob(person, [id]), { queue: 'patikana-notice-whatsapp' });
  await expectMatches({ stored: 1, pushed: 1, whatsapp: 1 });

  const email = standInForEmail();
  for (let time = 0; time < 2; time++) await deliverEmail(email.env, emailJob(person, [id]));
  await expectMatches({ stored: 1, pushed: 1, whatsapp: 1, emailed: 1 });

  await acknowledge(person, id);
  await ring(person);
  const shown = { stored: 1, pushed: 1, whatsapp: 1, emailed: 1, acknowledged: 1 };
  await expectMatches(shown);

  for (let time = 0; time < 2; time++) await call('POST', '/api/notices/read', { ids: [id] }, person);
  await expectMatches({ ...shown, opened: 1 });

  for (let time = 0; time < 2; time++) await call('POST', `/api/notices/${id}/dismiss`, undefined, person);
  await expectMatches({ ...shown, opened: 1, dismissed: 1 });
});

test('"not this one" is counted wherever it is said, and only for whoever says it', async () => {
  const person = await newReachable();
  const id = await tellMatch(person);
  const pairId = await env.DB.prepare('select pair_id from notices where id = ?').bind(id).first('pair_id');
  for (let time = 0; time < 2; time++) await call('POST', `/api/matches/${pairId}/dismiss`, undefined, person);
  await expectMatches({ stored: 1, opened: 1, dismissed: 1 });
});

test('a message that tells of several counts each that it names, and none that has ended', async () => {
  const person = await newReachable();
  await proveEmail(person);
  const ids = [await tellMatch(person), await tellMatch(person), await tellMatch(person)];
  await call('POST', '/api/notices/read', { ids: ids.slice(1, 2) }, person);
  await deliverEmail(standInForEmail().env, emailJob(person, ids));
  await expectMatches({ stored: 3, opened: 1, emailed: 2 });
});

test('each type is counted for itself, on the day on which its notices were stored', async () => {
  const person = await newReachable();
  const { noticeId } = await tellClaim(person, 'Begi');
  const types = (await readDays()).map(({ type, stored }) => [type, stored]);
  expect(types).toEqual([
    ['claim_accepted', 1],
    ['claim_received', 1],
  ]);
  await env.DB.prepare("update notice_days set stored = 2 where type = 'claim_received'").run();
  expect((await readDays()).map(({ type }) => type)).toEqual(['claim_received', 'claim_accepted']);
  await env.DB.prepare("update notice_days set stored = 1 where type = 'claim_received'").run();
  await env.DB.prepare('update notices set created_at = created_at - ? where id = ?').bind(DAY_MS, noticeId).run();
  await env.DB.prepare("insert into notice_days (day, type, stored) values (?, 'claim_accepted', 1)")
    .bind(dayOf(Date.now()) - 1)
    .run();
  await call('POST', '/api/notices/read', { ids: [noticeId] }, person);
  expect((await readDays()).map(({ type, opened }) => [type, opened])).toEqual([
    ['claim_accepted', 0],
    ['claim_received', 0],
    ['claim_accepted', 1],
  ]);
});

test('what a page has shown is reported until it is known, and counted once', async () => {
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
  await expectMatches({ stored: 1 });
  await ring(person);
  await expectMatches({ stored: 1, acknowledged: 1 });
  await surround(person, () => ({ recordAcknowledged: async () => void asked++ }));
  await ring(person);
  await ring(person);
  expect(asked).toBe(3);
  await expectMatches({ stored: 1, acknowledged: 1 });
});

test('what is acknowledged while others are reported is reported with them', async () => {
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

test('a push whose sending cannot be recorded is missing, and is not sent again', async () => {
  const person = await newReachable();
  const id = await tellMatch(person);
  const push = standInForPush();
  await put(push.service.subscribe(), person);
  const DB = passCalls(env.DB, (act) => {
    if (push.requests.length > 0) throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.');
    return act();
  });
  await bringPushes(person, id, 1, { DB });
  expect(push.requests).toHaveLength(1);
  await expectMatches({ stored: 1 });
});

test('so many days are told as are asked for, and the table holds no more than 400', async () => {
  const today = dayOf(Date.now());
  for (const age of [0, 6, 7, 89, 90, 400, 401])
    await env.DB.prepare("insert into notice_days (day, type, stored) values (?, 'matching_post', ?)")
      .bind(today - age, age + 1)
      .run();
  const ages = async (query?: string) => (await readDays(query)).map(({ stored }) => stored - 1);
  expect(await ages()).toEqual([0, 6]);
  expect(await ages('?days=1')).toEqual([0]);
  expect(await ages('?days=90')).toEqual([0, 6, 7, 89]);
  for (const days of ['0', '91', '-1', '1.5', 'x', ''])
    expect([days, (await call('GET', `/api/admin/notice-days?days=${days}`, undefined, admin)).status]).toEqual([
      days,
      422,
    ]);
  await clearExpired(openDb(env), Date.now());
  const { results } = await env.DB.prepare('select stored from notice_days order by day desc').all<{
    stored: number;
  }>();
  expect(results.map(({ stored }) => stored - 1)).toEqual([0, 6, 7, 89, 90, 400]);
});

test('nobody but a platform admin reads them', async () => {
  expect((await call('GET', '/api/admin/notice-days')).status).toBe(401);
  expect((await call('GET', '/api/admin/notice-days', undefined, await newPerson())).status).toBe(403);
});
