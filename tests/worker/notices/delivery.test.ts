import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import type { NoticeList } from '#contract/notices.ts';
import { call } from '#tests/worker/support/api.ts';
import { deliver, deliverEmail, proveEmail, standInForEmail, standInForMeta } from '#tests/worker/support/messages.ts';
import { envWithFailingMailboxes } from '#tests/worker/support/mortal-env.ts';
import {
  connect,
  emailJob,
  lostAndFound,
  newListener,
  newPeople,
  newReachable,
  notify,
  quietNow,
  type Somebody,
  settled,
  takeTicket,
  tellMatch,
  want,
  whatsappJob,
} from '#tests/worker/support/notices.ts';
import { forgetPosts, noticesAbout, postAndMatch, savePost, sweepIn } from '#tests/worker/support/posts.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { batch, openDb } from '#worker/db/client.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { renewClaimNews, retractNotices } from '#worker/leaving/erase-account.ts';
import { planErasure } from '#worker/leaving/erase-person.ts';
import { deliverNotices, finishDelivering } from '#worker/notices/deliver-notices.ts';
import { readReach } from '#worker/notices/reach.ts';
import { readWaiting } from '#worker/notices/read-notices.ts';
import { clearExpired } from '#worker/retention.ts';

describe('delivering notices', () => {
  const SECOND_MS = 1_000;
  const NOW = Date.now();
  const db = openDb(env);

  beforeEach(async () => {
    captureLogs();
    await forgetPosts();
    await env.DB.exec('delete from notices');
  });
  afterEach(() => vi.unstubAllGlobals());

  async function people(count: number): Promise<[Somebody, Somebody, ...Somebody[]]> {
    const [first, second, ...others] = await newPeople(Math.max(2, count));
    if (!first || !second) throw new Error('nobody');
    return [first, second, ...others];
  }

  /** Stores a person's notices like a Worker that dies before it delivers them. */
  async function store({ id }: Somebody, count: number, { at = NOW - 60 * SECOND_MS, dueAt = 0, claimId = '' } = {}) {
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    const type = claimId === '' ? 'password_changed' : 'claim_closed';
    const body =
      claimId === '' ? `json_object('type', '${type}', 'id', value, 'created_at', '2026-11-22T05:00:00.000Z')` : 'null';
    await env.DB.prepare(
      `insert into notices (id, recipient_id, type, body, claim_id, created_at, delivery_due_at)
     select value, ?1, '${type}', ${body}, nullif(?2, ''), ?3, ?4 from json_each(?5)`,
    )
      .bind(id, claimId, at, dueAt, JSON.stringify(ids))
      .run();
    return ids;
  }

  async function undelivered(): Promise<unknown[]> {
    const { results } = await env.DB.prepare('select id from notices where delivered_at is null').all();
    return results.map(({ id }) => id);
  }

  /** A match whose notice is not delivered yet. */
  async function untoldMatch() {
    const [owner, finder] = await people(2);
    const { lost, found } = lostAndFound();
    const mine = await postAndMatch(owner, lost);
    const theirs = await postAndMatch(finder, found);
    await env.DB.prepare('update notices set delivered_at = null').run();
    const [notice] = await noticesAbout(theirs);
    return { owner, finder, mine, theirs, id: notice?.id ?? '' };
  }

  async function heardBy(person: Somebody): Promise<string[]> {
    const live = await connect(person);
    await settled(live);
    live.socket.close();
    return live.messages.map(({ id }) => id);
  }

  test('the scheduled job delivers due notices older than ten seconds', async () => {
    const [person] = await people(1);
    const [young] = await store(person, 1, { at: NOW - 10 * SECOND_MS });
    const [old] = await store(person, 1, { at: NOW - 10 * SECOND_MS - 1 });
    const [due] = await store(person, 1, { dueAt: NOW });
    const [later] = await store(person, 1, { dueAt: NOW + 1 });
    await finishDelivering(env, db, NOW);
    expect((await undelivered()).sort()).toEqual([young, later].sort());
    expect((await heardBy(person)).sort()).toEqual(expect.arrayContaining([old, due]));
  });

  test('one run of the scheduled job delivers at most a thousand notices, and the next run delivers the remaining notices', async () => {
    const [person] = await people(1);
    await store(person, 1_001);
    await finishDelivering(env, db, NOW);
    expect(await undelivered()).toHaveLength(1);
    await finishDelivering(env, db, NOW);
    expect(await undelivered()).toEqual([]);
  });

  test('a delivery to a mailbox that cannot be reached is retried after one minute, then after two minutes', async () => {
    const [person] = await people(1);
    await store(person, 1);
    const failing = envWithFailingMailboxes(() => true);
    const dueIn = async () => {
      const row = await env.DB.prepare(
        'select delivery_due_at as at, delivery_failures as failures from notices',
      ).first();
      return [row?.failures, Number(row?.at) - NOW];
    };
    await finishDelivering(failing, db, NOW);
    expect(await dueIn()).toEqual([1, 60 * SECOND_MS]);
    await finishDelivering(failing, db, NOW + 60 * SECOND_MS);
    expect(await dueIn()).toEqual([2, 180 * SECOND_MS]);
    await finishDelivering(env, db, NOW + 180 * SECOND_MS);
    expect((await dueIn())[0]).toBe(0);
  });

  test('a person’s request for a WebSocket ticket delivers at most a hundred of the person’s notices, and no notices of other people', async () => {
    const [person, other] = await people(2);
    await store(person, 101, { at: Date.now() });
    await store(other, 1, { at: Date.now() });
    await takeTicket(person);
    await expect.poll(async () => (await undelivered()).length).toBe(2);
  });

  test('notices are delivered to at most twenty-five mailboxes at the same time', async () => {
    const [...all] = await people(60);
    const ids = (await Promise.all(all.map((person) => store(person, 1)))).flat();
    let [now, most] = [0, 0];
    const counting = envWithFailingMailboxes(async (moment) => {
      now += moment === 'before' ? 1 : -1;
      most = Math.max(most, now);
      return false;
    });
    await deliverNotices(counting, db, ids);
    expect(most).toBe(25);
    expect(await undelivered()).toEqual([]);
  });

  test.each([
    ['a retryable error, the call is repeated at once', { retryable: true }, 2, 0],
    ['a retryable overload error, the call is not repeated', { retryable: true, overloaded: true }, 1, 1],
    ['a permanent error, the call is not repeated', {}, 1, 1],
  ])('if a call to a mailbox fails with %s', async (_what, error, times, left) => {
    const [person] = await people(1);
    const ids = await store(person, 1);
    let asked = 0;
    const bindings = envWithFailingMailboxes((moment) => {
      if (moment === 'before' && asked++ === 0) throw Object.assign(new Error('reset'), error);
      return false;
    });
    await deliverNotices(bindings, db, ids);
    expect([asked, (await undelivered()).length]).toEqual([times, left]);
  });

  test.each<[how: string, sets: string]>([
    ['the other post was marked as found', 'update posts set is_found = 1 where id = :theirs'],
    ['the other post was hidden', 'update posts set hidden_by = 4 where id = :theirs'],
    ['the recipient’s post was marked as found', 'update posts set is_found = 1 where id = :mine'],
    ['the pair was dismissed', 'update match_pairs set dismissed_at = 1 where lost_post_id = :mine'],
  ])('the scheduled job withdraws a match notice if the match ends during delivery: %s', async (_how, statement) => {
    const { owner, mine, theirs, id } = await untoldMatch();
    const meanwhile = envWithFailingMailboxes(async (moment) => {
      if (moment === 'after')
        await env.DB.exec(statement.replace(':mine', `'${mine}'`).replace(':theirs', `'${theirs}'`));
      return false;
    });
    await deliverNotices(meanwhile, db, [id]);
    expect(await undelivered()).toEqual([id]);
    await sweepIn(5);
    expect(await heardBy(owner)).toEqual([]);
  });

  test('a withdrawn notice is deleted from the database, unless its recipient dismissed it', async () => {
    const { owner, theirs, id } = await untoldMatch();
    expect((await call('POST', `/api/notices/${id}/dismiss`, undefined, owner)).status).toBe(204);
    await expect.poll(() => noticesAbout(theirs)).toMatchObject([{ id, is_delivered: 1 }]);
    const other = await untoldMatch();
    await env.DB.prepare('update posts set is_found = 1 where id = ?').bind(other.theirs).run();
    await deliverNotices(env, db, [other.id]);
    expect(await noticesAbout(other.theirs)).toEqual([]);
  });

  test('the list and “mark all up to this notice as read” use the same order for notices that were created at the same time', async () => {
    const [person, other] = await people(2);
    const ids = (await store(person, 3)).sort().reverse();
    const [theirs = ''] = await store(other, 1, { at: NOW });
    const seen: string[] = [];
    for (let path: string | undefined = '/api/notices?limit=1'; path; ) {
      const answer = await call('GET', path, undefined, person);
      const { notices } = await answer.json<NoticeList>();
      seen.push(...notices.map(({ message }) => message.id));
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(seen).toEqual(ids);
    const read = async (up_to = '') => (await call('POST', '/api/notices/read', { up_to }, person)).json();
    expect(await read(theirs)).toEqual({ unread_count: 3 });
    expect(await read(ids[1])).toEqual({ unread_count: 1 });
  });

  test('marking a notice as read a second time does not change its recorded times of reading and delivery', async () => {
    const [person] = await people(1);
    const [id] = await store(person, 1);
    await env.DB.prepare('update notices set read_at = 7, delivered_at = 6').run();
    await call('POST', '/api/notices/read', { ids: [id], up_to: id }, person);
    expect(await env.DB.prepare('select read_at, delivered_at from notices').first()).toEqual({
      read_at: 7,
      delivered_at: 6,
    });
  });

  test('a message about several notices describes the first unread notice and states how many more wait', async () => {
    const [person, other] = await people(2);
    const [read = '', first = '', second = ''] = await store(person, 3, { at: 1 });
    const [theirs = ''] = await store(other, 1);
    await env.DB.prepare('update notices set created_at = 2 where id = ?').bind(second).run();
    await call('POST', '/api/notices/read', { ids: [read] }, person);
    const noticeIds = [second, read, first, theirs];
    const waiting = await readWaiting(db, { userId: person.id, noticeIds, waiting: 12 });
    expect(waiting).toEqual({ isMatch: false, claimId: null, title: '', waiting: 10, noticeIds: [first, second] });
    expect(await readWaiting(db, { userId: other.id, noticeIds: [first], waiting: 1 })).toBeNull();
  });

  test('a notice is stored for a year, and longer while it is undelivered', async () => {
    const [person] = await people(1);
    const year = 365 * DAY_MS;
    const [kept] = await store(person, 1, { at: NOW - year });
    await store(person, 1, { at: NOW - year - 1 });
    await env.DB.prepare('update notices set delivered_at = 1').run();
    const [waiting] = await store(person, 1, { at: NOW - year - 1 });
    await clearExpired(db, NOW);
    const { results } = await env.DB.prepare('select id from notices').all();
    expect(results.map(({ id }) => id).sort()).toEqual([kept, waiting].sort());
  });

  test('before a person is erased, other people’s notices about the person’s posts are withdrawn, even dismissed notices', async () => {
    const { owner, finder, theirs } = await untoldMatch();
    await env.DB.prepare(
      `insert into notices (id, recipient_id, type, post_id, created_at)
     select 'more-' || value, ?, 'matching_post', ?, 1 from json_each(?)`,
    )
      .bind(owner.id, theirs, JSON.stringify(Array.from({ length: 100 }, (_, index) => index)))
      .run();
    const [own] = await store(owner, 1);
    await call('POST', `/api/notices/${(await noticesAbout(theirs))[0]?.id}/dismiss`, undefined, owner);
    const failing = { ...env, USER_CHANNEL: envWithFailingMailboxes(() => true).USER_CHANNEL } as Env;
    await expect(retractNotices(failing, db, finder.id)).rejects.toThrow('cannot be reached');
    await retractNotices(env, db, finder.id);
    const { results } = await env.DB.prepare('select id from notices').all();
    expect(results).toEqual([{ id: own }]);
  });

  test('the erasure of a person deletes only those notices of other people that are about the erased person’s posts', async () => {
    const { owner, finder, theirs } = await untoldMatch();
    const [kept] = await store(owner, 1);
    await store(finder, 1);
    await batch(db, planErasure(db, finder.id).notices);
    expect(await noticesAbout(theirs)).toEqual([]);
    const { results } = await env.DB.prepare('select id from notices').all();
    expect(results).toEqual([{ id: kept }]);
  });

  test('before a finder is erased, claimants receive again the notices of the last 30 days about their claims on the finder’s posts', async () => {
    const [finder, claimant] = await people(2);
    const post = await savePost(finder, { posted_by: 'finder', title: 'Mwavuli' });
    const claimId = crypto.randomUUID();
    await env.DB.prepare(
      `insert into claims (id, post_id, post_kind, finder_id, claimant_id, state, created_at, finder_updated_at, claimant_updated_at)
     values (?, ?, 'other', ?, ?, 'closed', 1, 1, 1)`,
    )
      .bind(claimId, post, finder.id, claimant.id)
      .run();
    await store(claimant, 101, { claimId });
    const [own] = await store(finder, 1, { claimId });
    const [old] = await store(claimant, 1, { claimId, at: NOW - 30 * DAY_MS - 60 * SECOND_MS });
    const [other] = await store(claimant, 1);
    await env.DB.prepare('update notices set delivered_at = 1').run();
    const failing = envWithFailingMailboxes(() => true);
    await expect(renewClaimNews(failing, db, finder.id)).rejects.toThrow('cannot be reached');
    await renewClaimNews(env, db, finder.id);
    const { results } = await env.DB.prepare('select id from notices where delivered_at = 1').all();
    expect(results.map(({ id }) => id).sort()).toEqual([own, old, other].sort());
    expect(await undelivered()).toEqual([]);
  });
});

describe('the channels of a person', () => {
  beforeEach(() => void captureLogs());
  afterEach(async () => {
    vi.unstubAllGlobals();
    await env.DB.exec('delete from switched_off');
  });

  function reachOf({ id: userId }: { id: string }, noticeIds: string[] = [], vars: Record<string, unknown> = {}) {
    return readReach(openDb(env), readConfig({ ...env, ...vars } as Env), { userId, noticeIds });
  }

  test('the query for a person’s channels returns the available channels, the person’s choice of channels, and their quiet hours', async () => {
    const person = await newListener({ push: false, quiet_from: '22:30', quiet_to: '06:05' });
    expect(await reachOf(person)).toEqual({
      language: 'en',
      subscriptionIds: [`browser-of-${person.id}`],
      has: { whatsapp: true, email: true },
      wants: { push: false, whatsapp: true, email: true },
      quietHours: { from: 22 * 60 + 30, to: 6 * 60 + 5 },
      unread: new Set(),
      hasLostPhone: false,
    });
    const awake = await newListener({ whatsapp: false, email: false, quiet_from: null, quiet_to: null });
    expect(await reachOf(awake)).toMatchObject({
      wants: { push: true, whatsapp: false, email: false },
      quietHours: null,
    });
    expect(await reachOf({ id: 'hakuna' })).toBeNull();
  });

  const DEPLOYED = { WHATSAPP_TRANSPORT: 'cloud-api', WHATSAPP_PHONE_NUMBER_ID: '1', WHATSAPP_ACCESS_TOKEN: 'x' };

  test('no notice is sent on a channel that is switched off, not configured or not proven by the person', async () => {
    const person = await newListener();
    const has = async (vars = {}) => (await reachOf(person, [], vars))?.has;
    expect((await reachOf(person, [], { VAPID_PRIVATE_KEY: '' }))?.subscriptionIds).toEqual([]);
    expect(await has(DEPLOYED)).toEqual({ whatsapp: false, email: false });
    expect(await has({ ...DEPLOYED, EMAIL_FROM: 'habari@patikana.test' })).toEqual({ whatsapp: false, email: true });
    await env.DB.exec("insert into switched_off (name, since) values ('whatsapp_notices', 1)");
    expect(await has()).toEqual({ whatsapp: false, email: true });
    await env.DB.exec('delete from switched_off');
    await env.DB.prepare('update phone_numbers set proven_at = null where user_id = ?').bind(person.id).run();
    expect(await has()).toEqual({ whatsapp: false, email: true });
    await env.DB.prepare('update users set email_proven_at = null where id = ?').bind(person.id).run();
    expect(await has()).toEqual({ whatsapp: false, email: false });
  });

  test('the query for a person’s channels returns which of the given notices belong to the person and are unread', async () => {
    const [person, other] = [await newListener(), await newListener()];
    const [unread, read, unasked] = [await notify(person), await notify(person), await notify(person)];
    const theirs = await notify(other);
    await env.DB.prepare('update notices set read_at = 1 where id = ?').bind(read).run();
    const reach = await reachOf(person, [unread, read, theirs]);
    expect(reach?.unread).toEqual(new Set([unread]));
    expect(reach?.unread.has(unasked)).toBe(false);
  });

  test('a queued WhatsApp notice is not sent while the person has an open post about their own lost phone', async () => {
    const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
    const person = await newReachable();
    const id = await tellMatch(person, 'Simu ya mama imepotea');
    const phone = await savePost(person, { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno' });
    const send = () => deliver(meta.env, whatsappJob(person, [id]), { queue: 'patikana-notice-whatsapp' });
    await send();
    expect(meta.api.accepted).toEqual([]);
    await env.DB.prepare('update posts set is_found = 1 where id = ?').bind(phone).run();
    await send();
    expect(meta.api.accepted.map(({ body }) => body)).toEqual([['Simu ya mama imepotea']]);
  });

  test('if quiet hours last longer than the queue’s maximum delay of twelve hours, the queued message is delayed by twelve hours', async () => {
    const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
    const person = await newReachable();
    await proveEmail(person);
    const id = await tellMatch(person);
    // The quiet hours last until tomorrow, longer than a queue can delay a message.
    const { quiet_to } = quietNow(Date.now() - 190 * 60_000);
    await want(person, { quiet_from: quietNow().quiet_from, quiet_to });
    const queue = 'patikana-notice-whatsapp';
    expect(await deliver(meta.env, whatsappJob(person, [id]), { queue })).toEqual({ isAcked: false, retryIn: 43_195 });
    const email = standInForEmail();
    expect(await deliverEmail(email.env, emailJob(person, [id]))).toEqual({ isAcked: false, retryIn: 43_200 });
  });
});
