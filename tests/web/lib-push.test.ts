import { HttpResponse, http } from 'msw';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { endNotices } from '#web/lib/end-notices.ts';
import { isSubscribed, settlePushes, subscribe, unsubscribe } from '#web/lib/push-subscription.ts';
import { arePushesAllowed, arePushesRefused, pushSupport } from '#web/lib/push-support.ts';
import { PUSH_KEY, signInAs } from '#web/lib/session.ts';
import { refuse } from './support/posts.ts';
import { KEY, stubPushBrowser } from './support/push-browser.ts';
import { servePush } from './support/push-server.ts';
import { server } from './support/setup.ts';

const ASHA = { token: 'T', userId: 'asha' };
const JUMA = { token: 'J', userId: 'juma' };

afterEach(() => vi.useRealTimers());

function stubNavigator(values: object): void {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(navigator, name, { value, configurable: true });
  onTestFinished(() => {
    for (const name of Object.keys(values)) Reflect.deleteProperty(navigator, name);
  });
}

test.each([
  ['an iPhone', { userAgent: 'Mozilla/5.0 (iPhone; CPU)', maxTouchPoints: 5 }, 'home-screen-first'],
  ['an iPad', { userAgent: 'Mozilla/5.0 (Macintosh; Intel)', maxTouchPoints: 5 }, 'home-screen-first'],
  ['a Mac', { userAgent: 'Mozilla/5.0 (Macintosh; Intel)', maxTouchPoints: 0 }, 'none'],
  ['an iPhone’s home screen', { userAgent: '(iPhone)', maxTouchPoints: 5, standalone: true }, 'none'],
  ['an old Android', { userAgent: '(Linux; Android 5)', maxTouchPoints: 5 }, 'none'],
])('a browser without pushes, on %s, can do: %s', (_phone, values, support) => {
  stubNavigator(values);
  expect(pushSupport()).toBe(support);
  expect([arePushesAllowed(), arePushesRefused()]).toEqual([false, false]);
});

test.each([
  ['default', false, false],
  ['granted', true, false],
  ['denied', false, true],
] as const)('a browser with pushes whose reader has said %s', (permission, isAllowed, isRefused) => {
  stubPushBrowser({ permission });
  expect(pushSupport()).toBe('here');
  expect([arePushesAllowed(), arePushesRefused()]).toEqual([isAllowed, isRefused]);
});

test('whoever says yes is told on this phone, and nobody else', async () => {
  const { seen, endpoint } = stubPushBrowser();
  const { heard } = servePush();
  const bodies: unknown[] = [];
  server.events.on('request:start', async ({ request }) => {
    if (request.method === 'PUT') bodies.push(await request.clone().json());
  });
  onTestFinished(() => server.events.removeAllListeners());
  signInAs(ASHA);
  expect(isSubscribed('asha')).toBe(false);
  expect(await subscribe(ASHA)).toBe(true);
  expect([seen.asked, endpoint()]).toEqual([1, 'https://push.example/1']);
  expect([isSubscribed('asha'), isSubscribed('juma')]).toEqual([true, false]);
  expect(heard.put).toHaveLength(1);
  expect(bodies).toEqual([{ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }]);
});

test('whoever says no is left as they were', async () => {
  const { endpoint } = stubPushBrowser({ answer: 'denied' });
  const { heard } = servePush();
  signInAs(ASHA);
  expect(await subscribe(ASHA)).toBe(false);
  expect([endpoint(), heard.put, localStorage.getItem(PUSH_KEY)]).toEqual([null, [], null]);
});

test('a yes that the server could not take is not counted', async () => {
  stubPushBrowser();
  servePush();
  server.use(http.put('*/api/push/subscriptions', () => refuse(500, 'internal_error')));
  signInAs(ASHA);
  await expect(subscribe(ASHA)).rejects.toThrow();
  expect(isSubscribed('asha')).toBe(false);
});

test('a second yes of the same person keeps the subscription, one of another key of the browser’s does not', async () => {
  const { seen } = stubPushBrowser();
  servePush();
  signInAs(ASHA);
  await subscribe(ASHA);
  await subscribe(ASHA);
  expect([seen.subscribed, seen.unsubscribed]).toEqual([['https://push.example/1'], []]);
  servePush({ key: `${KEY}EA` });
  await subscribe(ASHA);
  expect([seen.subscribed.length, seen.unsubscribed]).toEqual([2, ['https://push.example/1']]);
});

test('the next person’s yes ends what the one before was told', async () => {
  const { seen, show } = stubPushBrowser();
  servePush();
  signInAs(ASHA);
  await subscribe(ASHA);
  const shown = show('notice-1');
  signInAs(JUMA);
  await subscribe(JUMA);
  expect(seen.unsubscribed).toEqual(['https://push.example/1']);
  expect(shown.isClosed).toBe(true);
  expect([isSubscribed('asha'), isSubscribed('juma')]).toEqual([false, true]);
});

test.each([
  ['learns of it', () => new HttpResponse(null, { status: 204 })],
  ['fails, and learns of it at the next push', () => refuse(500, 'internal_error')],
])('pushes that are ended are ended here, whether the server %s', async (_how, answer) => {
  const { endpoint } = stubPushBrowser();
  servePush();
  const told: unknown[] = [];
  server.use(
    http.delete('*/api/push/subscriptions', async ({ request }) => {
      told.push([await request.json(), request.headers.get('Authorization')]);
      return answer() as never;
    }),
  );
  signInAs(ASHA);
  await subscribe(ASHA);
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  await unsubscribe({ ...ASHA, token: 'former' });
  expect([endpoint(), isSubscribed('asha')]).toEqual([null, false]);
  expect(told).toEqual([[{ endpoint: 'https://push.example/1' }, 'Bearer former']]);
  // Even where the page is closed behind it.
  expect(fetched).toHaveBeenLastCalledWith(expect.anything(), expect.objectContaining({ keepalive: true }));
  await unsubscribe(ASHA);
  expect(told).toHaveLength(1);
});

test('a phone that was told half a day ago is not put anew, one of which the server knows another address is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { seen } = stubPushBrowser();
  const { heard } = servePush();
  signInAs(ASHA);
  await subscribe(ASHA);
  vi.setSystemTime(Date.now() + DAY_MS - 1);
  await settlePushes();
  expect(heard.put).toHaveLength(1);
  localStorage.setItem(PUSH_KEY, JSON.stringify({ userId: 'asha', endpoint: 'another', putAt: Date.now() }));
  await settlePushes();
  expect([heard.put.length, seen.subscribed.length]).toEqual([2, 1]);
  await settlePushes();
  expect(heard.put).toHaveLength(2);
});

test.each([
  ['is there but was asked for by nobody', null],
  ['cannot be read as anybody’s', '{"userId'],
])('a subscription that %s is ended', async (_what, kept) => {
  const { endpoint } = stubPushBrowser({ permission: 'granted', subscribed: { endpoint: 'old', key: KEY } });
  servePush();
  if (kept) localStorage.setItem(PUSH_KEY, kept);
  signInAs(ASHA);
  await settlePushes();
  expect(endpoint()).toBeNull();
});

test('a phone that nobody is told on is asked nothing', async () => {
  stubPushBrowser({ permission: 'granted' });
  const { heard } = servePush();
  signInAs(ASHA);
  await settlePushes();
  expect([heard.put, heard.deleted]).toEqual([[], []]);
});

test('notices that were read are taken off the lock screen, where any can be there', async () => {
  const { seen } = stubPushBrowser({ permission: 'granted' });
  endNotices([]);
  endNotices(['one', 'two']);
  await vi.waitFor(() => expect(seen.posted).toEqual([{ type: 'notices-ended', ids: ['one', 'two'] }]));
  Object.assign(Notification, { permission: 'default' });
  endNotices(['three']);
  await Promise.resolve();
  expect(seen.posted).toHaveLength(1);
});
