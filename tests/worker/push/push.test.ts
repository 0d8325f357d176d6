import { env } from 'cloudflare:workers';
import { createECDH, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PushKey } from '#contract/channels.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { PushJob } from '#contract/jobs.ts';
import { call, newPerson, newPost, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import { FOUND, newClaim, newsOf } from '#tests/worker/support/claims.ts';
import {
  deliverPush,
  PUSH_ORIGIN,
  put,
  SETTLED,
  standInForPush,
  subscriptionsOf,
} from '#tests/worker/support/messages.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { channelOf, comeDue, connect, notify, settled } from '#tests/worker/support/notices.ts';
import { savePost } from '#tests/worker/support/posts.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { endSubscriptionsOfSessions, endSubscriptionsOfUser } from '#worker/push/subscriptions.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const someKeys = () => ({
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});
const someSubscription = (endpoint = `${PUSH_ORIGIN}/${crypto.randomUUID()}`) => ({ endpoint, keys: someKeys() });

test('the server returns the public key for push subscriptions, unless the server has no private key', async () => {
  const { public_key } = await (await call('GET', '/api/push/key')).json<PushKey>();
  expect(Buffer.from(public_key, 'base64url')).toHaveLength(65);
  expect(Buffer.from(public_key, 'base64url')[0]).toBe(4);
  for (const name of ['VAPID_PRIVATE_KEY', 'VAPID_SUBJECT']) {
    const answer = await app.fetch(new Request(`${ORIGIN}/api/push/key`), { ...env, [name]: '' });
    expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([404, 'push_unavailable']);
  }
});

test('a repeated push subscription is stored once', async () => {
  const person = await newPerson();
  const subscription = someSubscription();
  expect((await put(subscription, person)).status).toBe(204);
  const [first] = await subscriptionsOf(person);
  expect((await put({ ...subscription, keys: someKeys() }, person)).status).toBe(204);
  expect(await subscriptionsOf(person)).toEqual([first]);
});

const { p256dh } = someKeys();
const offCurve = Buffer.from(p256dh, 'base64url').fill(7, 40).toString('base64url');

test.each<[what: string, body: object, field: string]>([
  ['another host', { endpoint: 'https://evil.example/x' }, 'endpoint'],
  ['a private address', { endpoint: 'https://10.0.0.1/x' }, 'endpoint'],
  ['the address of a cloud’s metadata', { endpoint: 'http://169.254.169.254/latest' }, 'endpoint'],
  ['credentials', { endpoint: 'https://asha:siri@fcm.googleapis.com/x' }, 'endpoint'],
  ['a port', { endpoint: 'https://fcm.googleapis.com:8443/x' }, 'endpoint'],
  ['no encryption', { endpoint: 'http://fcm.googleapis.com/x' }, 'endpoint'],
  ['an overlong endpoint', { endpoint: `${PUSH_ORIGIN}/${'x'.repeat(2_000)}` }, 'endpoint'],
  ['no endpoint', { endpoint: null }, 'endpoint'],
  ['an overlong key', { keys: { ...someKeys(), p256dh: p256dh.repeat(3) } }, 'keys.p256dh'],
  ['a key off the curve', { keys: { ...someKeys(), p256dh: offCurve } }, 'keys.p256dh'],
  ['a key that is not base64url', { keys: { ...someKeys(), p256dh: 'ufunguo' } }, 'keys.p256dh'],
  ['a short secret', { keys: { ...someKeys(), auth: randomBytes(15).toString('base64url') } }, 'keys.auth'],
  ['a long secret', { keys: { ...someKeys(), auth: randomBytes(17).toString('base64url') } }, 'keys.auth'],
  ['no keys', { keys: null }, 'keys'],
])('a push subscription with %s is refused', async (_what, wrong, field) => {
  const person = await newPerson();
  const answer = await call('PUT', '/api/push/subscriptions', { ...someSubscription(), ...wrong }, person);
  const { errors } = await answer.json<ErrorBody>();
  expect([answer.status, errors?.map((error) => error.field)]).toEqual([422, [field]]);
  expect(await subscriptionsOf(person)).toEqual([]);
});

test('the Worker in local development accepts a push subscription whose push service runs on localhost', async () => {
  const person = await newPerson();
  expect((await put(someSubscription('http://127.0.0.1:4321/push/1'), person)).status).toBe(204);
  expect((await put(someSubscription('http://localhost:4321/push/2'), person)).status).toBe(204);
});

test('a person’s eleventh push subscription replaces their oldest subscription', async () => {
  const person = await newPerson();
  const subscriptions = Array.from({ length: 11 }, () => someSubscription());
  for (const subscription of subscriptions) await put(subscription, person);
  const endpoints = (await subscriptionsOf(person)).map(({ endpoint }) => endpoint);
  expect(endpoints).toEqual(subscriptions.slice(1).map(({ endpoint }) => endpoint));
});

test('a browser gets pushes only for the person who subscribed last, and queued pushes for the previous person are dropped', async () => {
  const [first, second] = [await newPerson(), await newPerson()];
  const { service, env: bindings } = standInForPush();
  const browser = service.subscribe();
  await put(browser, first);
  const job = await jobFor(first);
  await put(browser, second);
  expect(await subscriptionsOf(first)).toEqual([]);
  expect(await deliverPush(bindings, job)).toEqual({ isAcked: true, retryIn: null });
  expect(service.requests).toBe(0);
});

test('a person can end only their own push subscription', async () => {
  const [owner, other] = [await newPerson(), await newPerson()];
  const { endpoint, keys } = someSubscription();
  await put({ endpoint, keys }, owner);
  expect((await call('DELETE', '/api/push/subscriptions', { endpoint }, other)).status).toBe(204);
  expect(await subscriptionsOf(owner)).toHaveLength(1);
  for (let time = 0; time < 2; time++)
    expect((await call('DELETE', '/api/push/subscriptions', { endpoint }, owner)).status).toBe(204);
  expect(await subscriptionsOf(owner)).toEqual([]);
});

test('ending one session or all sessions of a person also ends the push subscriptions of these sessions', async () => {
  const person = await newPerson();
  const db = openDb(env);
  const other = someSubscription();
  await put(someSubscription(), person);
  await put(other, person);
  await env.DB.prepare("update push_subscriptions set session_id = 'other' where endpoint = ?")
    .bind(other.endpoint)
    .run();
  await endSubscriptionsOfUser(db, sql`${person.id}`, 'other');
  expect((await subscriptionsOf(person)).map(({ endpoint }) => endpoint)).toEqual([other.endpoint]);
  await endSubscriptionsOfSessions(db, sql`${'other'}`);
  expect(await subscriptionsOf(person)).toEqual([]);
  await put(other, person);
  await endSubscriptionsOfUser(db, sql`${person.id}`);
  expect(await subscriptionsOf(person)).toEqual([]);
});

/** Creates a notice for the person. @returns the push job for their newest browser. */
async function jobFor(person: Person, { isSilent = false, your_post_id = '' } = {}) {
  const noticeId = await notify({ ...person, tokenVersion: 1 }, { your_post_id, post_id: 'ya-mwingine' });
  const subscriptionId = (await subscriptionsOf(person)).at(-1)?.id ?? '';
  return { kind: 'push' as const, userId: person.id, noticeId, subscriptionId, isSilent };
}

/** Creates a person with one browser, and a push job for the browser. */
async function newBrowser(vars: Record<string, string> = {}) {
  const person = await newPerson();
  const push = standInForPush(vars);
  const browser = push.service.subscribe();
  await put(browser, person);
  return { ...push, person, browser, job: await jobFor(person) };
}

test('a push contains a fixed sentence in the person’s language, and no title of a post', async () => {
  const { person, browser, service, env: bindings } = await newBrowser();
  await call('PATCH', '/api/me', { language: 'sw' }, person);
  const your_post_id = await savePost(person, { posted_by: 'owner', title: 'Kitambulisho cha siri' });
  await env.DB.prepare("update posts set kind = 'document' where id = ?").bind(your_post_id).run();
  const loud = await jobFor(person, { your_post_id });
  const silent = await jobFor(person, { isSilent: true });
  for (const job of [loud, silent]) expect(await deliverPush(bindings, job)).toEqual({ isAcked: true, retryIn: null });
  const [first, second] = browser.heard;
  expect(first?.message).toEqual({
    type: 'matching_post',
    id: loud.noticeId,
    title: 'Kuna tangazo linalofanana na lako',
    body: 'Mtu ametangaza hati ambayo huenda ni ile ya tangazo lako.',
    url: '/posts/ya-mwingine',
    language: 'sw',
    silent: false,
  });
  expect(second?.message).toMatchObject({ id: silent.noticeId, silent: true });
  const headersOf = (heard: typeof first) =>
    ['Content-Encoding', 'TTL', 'Urgency', 'Topic'].map((name) => heard?.headers.get(name));
  expect(headersOf(first)).toEqual(['aes128gcm', '259200', 'high', loud.noticeId.replaceAll('-', '')]);
  expect(headersOf(second)).toEqual(['aes128gcm', '259200', 'low', silent.noticeId.replaceAll('-', '')]);
  expect(first?.headers.get('Topic')).toMatch(/^[\w-]{1,32}$/);
  expect(first?.token).toMatchObject({ aud: PUSH_ORIGIN, sub: 'mailto:posta@patikana.test' });
  expect(service.requests).toBe(2);
});

test('a push about a claim opens the claim, and names the kind of thing that is claimed', async () => {
  const { browser, person, env: bindings, job } = await newBrowser();
  const claimant = await newPerson();
  const { id } = await newClaim((await newPost(person, { ...FOUND, contact: 'claim' })).id, claimant);
  const [news] = await newsOf(person);
  await deliverPush(bindings, { ...job, noticeId: news?.id ?? '' });
  expect(browser.heard.map(({ message }) => message)).toMatchObject([
    { type: 'claim_received', url: `/claims/${id}`, body: expect.stringMatching(/\bbag\b|\bbegi\b/i) },
  ]);
});

test('all pushes have the same length, so that the length does not reveal the content', async () => {
  const { requests, person, job, env: bindings } = await newBrowser();
  await deliverPush(bindings, job);
  await call('PATCH', '/api/me', { language: 'sw' }, person);
  await deliverPush(bindings, await jobFor(person));
  const [first, second] = requests.map(({ body }) => (body as Uint8Array).byteLength);
  expect(first).toBe(second);
});

test.each<[what: string, answer: number, headers: Record<string, string>, retryIn: number | null]>([
  ['201: no retry', 201, {}, null],
  ['413: no retry', 413, {}, null],
  ['403: no retry', 403, {}, null],
  ['429: a retry after the time in Retry-After', 429, { 'Retry-After': '120' }, 120],
  ['503 with a Retry-After of one day: a retry after twelve hours', 503, { 'Retry-After': '86400' }, 43_200],
  ['500: a retry after half a minute', 500, {}, 30],
])('the push service’s status decides if and when a push is retried: %s', async (_what, status, headers, retryIn) => {
  const { service, person, deadLetters, job, env: bindings } = await newBrowser();
  service.answers.push({ status, headers });
  expect(await deliverPush(bindings, job)).toEqual({ isAcked: retryIn === null, retryIn });
  expect(service.requests).toBe(1);
  expect(await subscriptionsOf(person)).toHaveLength(1);
  expect(deadLetters).toEqual([]);
});

test.each([404, 410])(
  'if a push service responds with status %i, the browser’s subscription is deleted',
  async (status) => {
    const { service, person, job, env: bindings } = await newBrowser();
    service.answers.push({ status });
    expect(await deliverPush(bindings, job)).toEqual({ isAcked: true, retryIn: null });
    expect(await subscriptionsOf(person)).toEqual([]);
    await deliverPush(bindings, job);
    expect(service.requests).toBe(1);
  },
);

test('a push service’s redirect to an internal URL is not followed', async () => {
  const { service, requests, job, env: bindings } = await newBrowser();
  const { error } = captureLogs();
  service.answers.push({ status: 307, headers: { Location: 'http://169.254.169.254/latest/meta-data' } });
  expect(await deliverPush(bindings, job)).toEqual({ isAcked: true, retryIn: null });
  expect(requests.map(({ redirect }) => redirect)).toEqual(['manual']);
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ event: 'push_refused', status: 307 }));
});

test('a request to a push service times out after ten seconds, and the push is retried later', async () => {
  const { service, job, env: bindings } = await newBrowser();
  const waits: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    waits.push(ms);
    return AbortSignal.abort();
  });
  service.answers.push('hang');
  expect(await deliverPush(bindings, job)).toEqual({ isAcked: false, retryIn: 30 });
  expect(waits).toEqual([10_000]);
});

test('a push that the push service does not accept within a day becomes a dead letter with the id of the notice', async () => {
  const { service, deadLetters, job, env: bindings } = await newBrowser();
  service.answers.push({ status: 503 }, { status: 503 });
  const early = { attempts: 11, ageSeconds: 30_000 };
  expect(await deliverPush(bindings, job, early)).toEqual({ isAcked: false, retryIn: 30_720 });
  expect(await deliverPush(bindings, job, { attempts: 12, ageSeconds: 61_000 })).toEqual({
    isAcked: true,
    retryIn: null,
  });
  expect(deadLetters).toEqual([job]);
  expect(await deliverPush(bindings, job, { queue: 'patikana-push-dead' })).toEqual({ isAcked: true, retryIn: null });
  const row = await env.DB.prepare('select 1 from push_dead_letters where notice_id = ?').bind(job.noticeId).first();
  expect(row).not.toBeNull();
});

test('a push is dropped without a request if its push service is no longer configured', async () => {
  const { service, job, env: bindings } = await newBrowser({ PUSH_SERVICES: 'updates.push.services.mozilla.com' });
  expect(await deliverPush(bindings, job)).toEqual({ isAcked: true, retryIn: null });
  expect(service.requests).toBe(0);
});

test('a queued push is not sent if its notice has been acknowledged or read meanwhile', async () => {
  const { service, person, job, env: bindings } = await newBrowser();
  const live = await connect(person);
  live.acknowledge(job.noticeId);
  await settled(live);
  await deliverPush(bindings, job);
  const read = await jobFor(person);
  await env.DB.prepare('update notices set read_at = 1 where id = ?').bind(read.noticeId).run();
  await deliverPush(bindings, read);
  expect(service.requests).toBe(0);
});

test('the log contains no part of a push subscription, such as its endpoint’s path or its keys', async () => {
  const { service, browser, job, env: bindings } = await newBrowser();
  const logs = captureLogs();
  service.answers.push({ status: 400 });
  await deliverPush(bindings, job);
  const path = new URL(browser.endpoint).pathname;
  expect(logs.error).toHaveBeenCalled();
  const lines = JSON.stringify(Object.values(logs).map(({ mock }) => mock.calls));
  expect([path, browser.keys.auth].filter((secret) => lines.includes(secret))).toEqual([]);
});

test('a notice is sent from the mailbox through the queue to the push service of the browser', async () => {
  const { browser, person, job } = await newBrowser();
  await comeDue({ ...person, tokenVersion: 1 }, 'push');
  await expect.poll(() => browser.heard.map(({ message }) => message.id), { timeout: 20_000 }).toEqual([job.noticeId]);
  expect(await channelOf(person).listWaiting([job.noticeId])).toEqual([job.noticeId]);
});

describe('sending pushes', () => {
  let logs: ReturnType<typeof captureLogs>;

  beforeEach(() => {
    logs = captureLogs();
  });
  async function jobFor(person: Person, type = 'matching_post', body: object = {}, browser = 0): Promise<PushJob> {
    const noticeId = await notify({ ...person, tokenVersion: 1 }, {}, type);
    await env.DB.prepare('update notices set body = ? where id = ?').bind(JSON.stringify(body), noticeId).run();
    const subscriptionId = (await subscriptionsOf(person))[browser]?.id ?? '';
    return { kind: 'push', userId: person.id, noticeId, subscriptionId, isSilent: false };
  }

  /** Creates a person with one browser, and a push job for the browser. */
  async function newBrowser(vars: Record<string, string> = {}) {
    const person = await newPerson();
    const push = standInForPush(vars);
    const browser = push.service.subscribe();
    await put(browser, person);
    return { ...push, person, browser, job: await jobFor(person) };
  }

  test('a browser that subscribes to pushes again is stored with the new keys, as the person’s newest browser', async () => {
    const person = await newPerson();
    const [first, second] = [someSubscription(), someSubscription()];
    for (const subscription of [first, second]) await put(subscription, person);
    await env.DB.prepare('update push_subscriptions set put_at = put_at - 1000 where user_id = ?')
      .bind(person.id)
      .run();
    const { keys } = someSubscription();
    await put({ ...first, keys }, person);
    const { results } = await env.DB.prepare(
      'select endpoint, p256dh, auth from push_subscriptions where user_id = ? order by put_at',
    )
      .bind(person.id)
      .all();
    expect(results).toEqual([
      { endpoint: second.endpoint, ...second.keys },
      { endpoint: first.endpoint, ...keys },
    ]);
  });

  test('if a person’s ten push subscriptions were stored in the same millisecond, an eleventh replaces the first of them', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    await put(someSubscription(), other);
    const subscriptions = Array.from({ length: 11 }, someSubscription);
    for (const subscription of subscriptions.slice(0, 10)) await put(subscription, person);
    await env.DB.exec('update push_subscriptions set put_at = 1');
    for (const subscription of subscriptions.slice(10)) await put(subscription, person);
    const endpoints = (await subscriptionsOf(person)).map(({ endpoint }) => endpoint);
    expect(endpoints).toEqual(subscriptions.slice(1).map(({ endpoint }) => endpoint));
    expect(await subscriptionsOf(other)).toHaveLength(1);
  });

  test('an invalid subscription is refused with an error for each invalid field', async () => {
    const wrong = { endpoint: 'https://evil.example/x', keys: { p256dh: 'ufunguo', auth: 'siri' } };
    const answer = await call('PUT', '/api/push/subscriptions', wrong, { ...(await newPerson()), language: 'en' });
    const { errors } = await answer.json<ErrorBody>();
    expect(errors?.map(({ field }) => field)).toEqual(['endpoint', 'keys.p256dh', 'keys.auth']);
    const [endpoint, key, secret] = errors?.map(({ message }) => message) ?? [];
    expect([typeof endpoint, endpoint === key, key === secret]).toEqual(['string', false, true]);
  });

  test('each of a person’s browsers gets its own push', async () => {
    const { service, browser, person, env: bindings } = await newBrowser();
    const laptop = service.subscribe();
    await put(laptop, person);
    const job = await jobFor(person, 'matching_post', {}, 1);
    await deliverPush(bindings, job);
    expect([browser.heard.length, laptop.heard.length]).toEqual([0, 1]);
    expect(laptop.heard[0]?.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(laptop.heard[0]?.token).toMatchObject({ iat: expect.any(Number) });
  });

  test('a push links to its notice’s community or post, and names the post’s kind', async () => {
    const { browser, person, env: bindings } = await newBrowser();
    const post_id = await savePost(person, { posted_by: 'owner', title: 'Funguo' });
    await env.DB.prepare("update posts set kind = 'key' where id = ?").bind(post_id).run();
    await deliverPush(bindings, await jobFor(person, 'community_approved', { community_id: 'chuo' }));
    await deliverPush(bindings, await jobFor(person, 'still_looking', { post_id }));
    await deliverPush(bindings, await jobFor(person, 'password_changed'));
    expect(browser.heard.map(({ message }) => [message.url, message.body])).toEqual([
      ['/community-details/chuo', 'People can join it now.'],
      [`/posts/${post_id}`, 'Say whether the keys in your post have been returned.'],
      ['/notices', 'If it was not you, set a new one at once.'],
    ]);
  });

  test('a push subscription that is renewed while a push is being sent is not deleted if the push service responds with 410', async () => {
    const { person, browser, job, env: bindings } = await newBrowser();
    vi.stubGlobal('fetch', async () => {
      await put({ ...someSubscription(), endpoint: browser.endpoint }, person);
      return new Response(null, { status: 410 });
    });
    expect(await deliverPush(bindings, job)).toEqual(SETTLED);
    expect(await subscriptionsOf(person)).toMatchObject([{ endpoint: browser.endpoint }]);
  });

  test('a push to a browser that no longer exists does not affect the person’s other browsers', async () => {
    const { service, person, job, env: bindings } = await newBrowser();
    await put(service.subscribe(), person);
    service.answers.push({ status: 410 });
    await deliverPush(bindings, job);
    const left = await subscriptionsOf(person);
    expect(left).toHaveLength(1);
    expect(left[0]?.id).not.toBe(job.subscriptionId);
  });

  test.each<[what: string, vars: Record<string, string>, hasKey: boolean]>([
    ['an endpoint at an unknown push service', { PUSH_SERVICES: 'push.example' }, true],
    ['no VAPID key', { VAPID_PRIVATE_KEY: '' }, false],
  ])('if the server cannot send a push (%s), an alarm is raised', async (_what, vars, hasKey) => {
    const { service, deadLetters, job, env: bindings } = await newBrowser(vars);
    expect(await deliverPush(bindings, job)).toEqual(SETTLED);
    expect([service.requests, deadLetters]).toEqual([0, []]);
    expect(logs.error.mock.calls).toEqual([
      [{ event: 'push_service_unknown', job_id: expect.any(String), host: 'fcm.googleapis.com', has_key: hasKey }],
    ]);
  });

  test('a push service’s response 403 raises an alarm that names the service’s host, and other responses raise no alarm', async () => {
    const { service, job, env: bindings } = await newBrowser();
    for (const status of [403, 500]) service.answers.push({ status });
    await deliverPush(bindings, job);
    await deliverPush(bindings, job);
    await deliverPush(bindings, job);
    expect(logs.error.mock.calls).toEqual([
      [{ event: 'push_refused', job_id: expect.any(String), host: 'fcm.googleapis.com', status: 403 }],
    ]);
  });

  test('if the database fails after a push was sent, a warning is logged and no alarm is raised', async () => {
    const { requests, job, env: bindings } = await newBrowser();
    const DB = passCalls(env.DB, (act) => {
      if (requests.length > 0) throw new TypeError('D1_ERROR: Network connection lost.');
      return act();
    });
    expect(await deliverPush({ ...bindings, DB }, job)).toEqual(SETTLED);
    expect(logs.warn).toHaveBeenCalledWith(expect.objectContaining({ event: 'push_not_recorded' }));
    expect(logs.error).not.toHaveBeenCalled();
  });

  test('a push whose data cannot be read because the database fails is retried after at most a minute', async () => {
    const { service, job, env: bindings } = await newBrowser();
    const DB = passCalls(env.DB, () => Promise.reject(new TypeError('D1_ERROR: no such thing')));
    const broken = { ...bindings, DB } as Env;
    for (const [attempts, retryIn] of [
      [1, 2],
      [5, 32],
      [6, 60],
    ] as const)
      expect(await deliverPush(broken, job, { attempts })).toEqual({ isAcked: false, retryIn });
    expect(service.requests).toBe(0);
    expect(logs.error.mock.calls[0]?.[0]).toEqual({
      event: 'push_consumer_failed',
      job_id: expect.any(String),
      name: expect.stringMatching(/Error$/),
    });
  });

  test('a push that becomes a dead letter raises an alarm with the id of its notice', async () => {
    const { job, env: bindings } = await newBrowser();
    expect(await deliverPush(bindings, job, { queue: 'patikana-push-dead' })).toEqual(SETTLED);
    expect(logs.error).toHaveBeenCalledWith({
      event: 'push_dead_letter',
      job_id: expect.any(String),
      notice_id: job.noticeId,
    });
  });
});
