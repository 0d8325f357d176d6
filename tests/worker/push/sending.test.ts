import { env } from 'cloudflare:workers';
import { createECDH, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { PushJob } from '#contract/jobs.ts';
import { call, newPerson, type Person } from '#tests/worker/support/api.ts';
import {
  deliverPush,
  PUSH_ORIGIN,
  put,
  SETTLED,
  standInForPush,
  subscriptionsOf,
} from '#tests/worker/support/messages.ts';
import { passCalls } from '#tests/worker/support/mortal-env.ts';
import { notify } from '#tests/worker/support/notices.ts';
import { savePost } from '#tests/worker/support/posts.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import type { Env } from '#worker/env.ts';

let logs: ReturnType<typeof captureLogs>;

beforeEach(() => {
  logs = captureLogs();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const someSubscription = () => ({
  endpoint: `${PUSH_ORIGIN}/${crypto.randomUUID()}`,
  keys: {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
});

async function jobFor(person: Person, type = 'matching_post', body: object = {}, browser = 0): Promise<PushJob> {
  const noticeId = await notify({ ...person, tokenVersion: 1 }, {}, type);
  await env.DB.prepare('update notices set body = ? where id = ?').bind(JSON.stringify(body), noticeId).run();
  const subscriptionId = (await subscriptionsOf(person))[browser]?.id ?? '';
  return { kind: 'push', userId: person.id, noticeId, subscriptionId, isSilent: false };
}

/** A person with one browser, and a job for it. */
async function newBrowser(vars: Record<string, string> = {}) {
  const person = await newPerson();
  const push = standInForPush(vars);
  const browser = push.service.subscribe();
  await put(browser, person);
  return { ...push, person, browser, job: await jobFor(person) };
}

test('a browser that subscribes again has its new keys, and is the newest', async () => {
  const person = await newPerson();
  const [first, second] = [someSubscription(), someSubscription()];
  for (const subscription of [first, second]) await put(subscription, person);
  await env.DB.prepare('update push_subscriptions set put_at = put_at - 1000 where user_id = ?').bind(person.id).run();
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

test('of concurrent subscriptions the first is removed, and other people keep theirs', async () => {
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

test('an invalid subscription reports each field', async () => {
  const wrong = { endpoint: 'https://evil.example/x', keys: { p256dh: 'ufunguo', auth: 'siri' } };
  const answer = await call('PUT', '/api/push/subscriptions', wrong, { ...(await newPerson()), language: 'en' });
  const { errors } = await answer.json<ErrorBody>();
  expect(errors?.map(({ field }) => field)).toEqual(['endpoint', 'keys.p256dh', 'keys.auth']);
  const [endpoint, key, secret] = errors?.map(({ message }) => message) ?? [];
  expect([typeof endpoint, endpoint === key, key === secret]).toEqual(['string', false, true]);
});

test('each browser gets its own push', async () => {
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

test('a browser with new keys is not deleted with the old ones', async () => {
  const { person, browser, job, env: bindings } = await newBrowser();
  vi.stubGlobal('fetch', async () => {
    await put({ ...someSubscription(), endpoint: browser.endpoint }, person);
    return new Response(null, { status: 410 });
  });
  expect(await deliverPush(bindings, job)).toEqual(SETTLED);
  expect(await subscriptionsOf(person)).toMatchObject([{ endpoint: browser.endpoint }]);
});

test('a browser that no longer exists does not affect others', async () => {
  const { service, person, job, env: bindings } = await newBrowser();
  await put(service.subscribe(), person);
  service.answers.push({ status: 410 });
  await deliverPush(bindings, job);
  const left = await subscriptionsOf(person);
  expect(left).toHaveLength(1);
  expect(left[0]?.id).not.toBe(job.subscriptionId);
});

test.each<[what: string, vars: Record<string, string>, hasKey: boolean]>([
  ['a host that is none of ours', { PUSH_SERVICES: 'push.example' }, true],
  ['no key of our own', { VAPID_PRIVATE_KEY: '' }, false],
])('with %s nothing is sent, and an alarm is raised', async (_what, vars, hasKey) => {
  const { service, deadLetters, job, env: bindings } = await newBrowser(vars);
  expect(await deliverPush(bindings, job)).toEqual(SETTLED);
  expect([service.requests, deadLetters]).toEqual([0, []]);
  expect(logs.error.mock.calls).toEqual([
    [{ event: 'push_service_unknown', job_id: expect.any(String), host: 'fcm.googleapis.com', has_key: hasKey }],
  ]);
});

test('a service that refuses us raises an alarm with its host and message, and other results raise none', async () => {
  const { service, job, env: bindings } = await newBrowser();
  for (const status of [403, 500]) service.answers.push({ status });
  await deliverPush(bindings, job);
  await deliverPush(bindings, job);
  await deliverPush(bindings, job);
  expect(logs.error.mock.calls).toEqual([
    [{ event: 'push_refused', job_id: expect.any(String), host: 'fcm.googleapis.com', status: 403 }],
  ]);
});

test('a push that could not be recorded is logged, without an alarm', async () => {
  const { requests, job, env: bindings } = await newBrowser();
  const DB = passCalls(env.DB, (act) => {
    if (requests.length > 0) throw new TypeError('D1_ERROR: Network connection lost.');
    return act();
  });
  expect(await deliverPush({ ...bindings, DB }, job)).toEqual(SETTLED);
  expect(logs.warn).toHaveBeenCalledWith(expect.objectContaining({ event: 'push_not_recorded' }));
  expect(logs.error).not.toHaveBeenCalled();
});

test('a push returns to the queue, for at most a minute, while the database fails', async () => {
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

test('a dead letter raises an alarm that names its notice', async () => {
  const { job, env: bindings } = await newBrowser();
  expect(await deliverPush(bindings, job, { queue: 'patikana-push-dead' })).toEqual(SETTLED);
  expect(logs.error).toHaveBeenCalledWith({
    event: 'push_dead_letter',
    job_id: expect.any(String),
    notice_id: job.noticeId,
  });
});
