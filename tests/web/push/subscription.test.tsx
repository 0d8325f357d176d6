import { act, render, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { KEY, OTHER_KEY, servePush, stubPushBrowser } from '#tests/web/support/push.ts';
import { server } from '#tests/web/support/setup.ts';
import { expireSession, PUSH_KEY, signInAs, signOut, TOKEN_SINCE_KEY } from '#web/api/session.ts';
import { Errands } from '#web/app/errands.tsx';
import { closePhoneNotifications } from '#web/notices/api.ts';
import { isSubscribed, settlePushes, subscribe, unsubscribe } from '#web/push/subscription.ts';
import { arePushesAllowed, arePushesRefused, pushSupport } from '#web/push/support.ts';
import { addressToOpen, toNotice } from '#web/service-worker/pushed-notice.ts';

function Where() {
  const { pathname, search } = useLocation();
  return <p data-testid="where">{pathname + search}</p>;
}

describe('the push subscription in the app', () => {
  const ASHA = { token: 'ashas-token', userId: 'asha' };
  const JUMA = { token: 'jumas-token', userId: 'juma' };

  afterEach(() => vi.useRealTimers());

  /** Opens the app on a phone where Asha is signed in and has switched push notifications on. */
  async function open() {
    const browser = stubPushBrowser();
    const { heard, served } = servePush();
    signInAs(ASHA);
    expect(await subscribe(ASHA)).toBe(true);
    render(
      <MemoryRouter>
        <Errands />
        <Where />
      </MemoryRouter>,
    );
    await act(settlePushes);
    return { ...browser, heard, served };
  }

  test('signing out ends the push subscription in the browser and on the server', async () => {
    const { seen, heard, endpoint, show } = await open();
    const shown = show('notice-1');
    act(signOut);
    await waitFor(() => expect(heard.deleted).toEqual([['https://push.example/1', 'Bearer ashas-token']]));
    expect(seen.unsubscribed).toEqual(['https://push.example/1']);
    expect(endpoint()).toBeNull();
    expect(shown.isClosed).toBe(true);
  });

  test('an expired session does not end the push subscription, which the app still uses after the next sign-in', async () => {
    const { endpoint, heard } = await open();
    await act(() => expireSession(ASHA.token));
    await act(settlePushes);
    expect(endpoint()).toBe('https://push.example/1');
    act(() => signInAs(ASHA));
    await act(settlePushes);
    expect(heard.put).toHaveLength(1);
    expect(isSubscribed('asha')).toBe(true);
  });

  test('if another person signs in, the first person’s subscription ends, and the other person is subscribed only on request', async () => {
    const { seen, heard, endpoint } = await open();
    await act(() => expireSession(ASHA.token));
    act(() => signInAs(JUMA));
    await waitFor(() => expect(endpoint()).toBeNull());
    expect(seen.unsubscribed).toEqual(['https://push.example/1']);
    expect(heard.put.map(([, token]) => token)).toEqual(['Bearer ashas-token']);
    expect(isSubscribed('juma')).toBe(false);
    await act(async () => void (await subscribe(JUMA)));
    expect(heard.put.at(-1)).toEqual(['https://push.example/2', 'Bearer jumas-token']);
  });

  test('if nobody is signed in when the app opens, the browser’s push subscription ends', async () => {
    const { endpoint } = stubPushBrowser({
      permission: 'granted',
      subscribed: { endpoint: 'https://push.example/old', key: KEY },
    });
    servePush();
    await settlePushes();
    expect(endpoint()).toBeNull();
  });

  test('if the server has a new VAPID key, the app renews the subscription', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { seen, heard, served } = await open();
    served.key = OTHER_KEY;
    vi.setSystemTime(Date.now() + DAY_MS);
    await act(settlePushes);
    expect(seen.unsubscribed).toEqual(['https://push.example/1']);
    expect(heard.put.at(-1)?.[0]).toBe('https://push.example/2');
  });

  test('an unchanged subscription is sent to the server only once a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { seen, heard } = await open();
    for (let opening = 0; opening < 5; opening++) await act(settlePushes);
    expect(heard.put).toHaveLength(1);
    vi.setSystemTime(Date.now() + DAY_MS);
    await act(settlePushes);
    await act(settlePushes);
    expect(heard.put).toHaveLength(2);
    expect(seen.subscribed).toHaveLength(1);
  });

  test('the service worker reports that the browser replaced a subscription, and the app sends the new one to the server', async () => {
    const { heard, tell } = await open();
    const registration = await navigator.serviceWorker.ready;
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    act(() => tell({ type: 'push-changed' }));
    await waitFor(() => expect(heard.put.at(-1)).toEqual(['https://push.example/2', 'Bearer ashas-token']));
  });

  test('if the user revokes the browser’s permission the phone counts as unsubscribed, and no request is sent', async () => {
    const { seen, heard } = await open();
    Notification.requestPermission = async () => 'denied';
    Object.assign(Notification, { permission: 'denied' });
    await act(settlePushes);
    expect([seen.unsubscribed, heard.deleted, heard.put.length]).toEqual([[], [], 1]);
    expect(isSubscribed('asha')).toBe(false);
  });

  test('a pressed notification opens its URL in an open page, and the page acknowledges the service worker’s message', async () => {
    const { tell } = await open();
    const answered = vi.fn();
    act(() => tell({ type: 'open', address: '/notices?dismiss=7' }, [{ postMessage: answered }]));
    expect(document.querySelector('[data-testid=where]')).toHaveTextContent('/notices?dismiss=7');
    expect(answered).toHaveBeenCalledOnce();
  });

  test('the page of a signed-out user ignores a pressed notification, so that the service worker opens a new page', async () => {
    const { tell, heard } = await open();
    const answered = vi.fn();
    localStorage.setItem(TOKEN_SINCE_KEY, String(Date.now()));
    act(signOut);
    act(() => tell({ type: 'open', address: '/notices' }, [{ postMessage: answered }]));
    expect(document.querySelector('[data-testid=where]')).toHaveTextContent('/');
    expect(answered).not.toHaveBeenCalled();
    // Waits for the request that deletes the subscription. Otherwise the request would reach the mock server of the
    // next test.
    await waitFor(() => expect(heard.deleted).toHaveLength(1));
  });
});

describe('subscribing to pushes', () => {
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
    [
      'an iPhone needs the app on the home screen',
      { userAgent: 'Mozilla/5.0 (iPhone; CPU)', maxTouchPoints: 5 },
      'home-screen-first',
    ],
    [
      'an iPad needs the app on the home screen',
      { userAgent: 'Mozilla/5.0 (Macintosh; Intel)', maxTouchPoints: 5 },
      'home-screen-first',
    ],
    ['a Mac supports no pushes', { userAgent: 'Mozilla/5.0 (Macintosh; Intel)', maxTouchPoints: 0 }, 'none'],
    [
      'an app on an iPhone’s home screen supports no pushes',
      { userAgent: '(iPhone)', maxTouchPoints: 5, standalone: true },
      'none',
    ],
    ['an old Android supports no pushes', { userAgent: '(Linux; Android 5)', maxTouchPoints: 5 }, 'none'],
  ])('the app knows why a browser supports no pushes: %s', (_phone, values, support) => {
    stubNavigator(values);
    expect(pushSupport()).toBe(support);
    expect([arePushesAllowed(), arePushesRefused()]).toEqual([false, false]);
  });

  test.each([
    ['default', false, false],
    ['granted', true, false],
    ['denied', false, true],
  ] as const)(
    'the app reads the browser’s push permission “%s” as allowed: %s, refused: %s',
    (permission, isAllowed, isRefused) => {
      stubPushBrowser({ permission });
      expect(pushSupport()).toBe('here');
      expect([arePushesAllowed(), arePushesRefused()]).toEqual([isAllowed, isRefused]);
    },
  );

  test('agreeing to pushes subscribes the phone for the user who agreed, and for no other user', async () => {
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

  test('if the user refuses pushes, nothing is sent and nothing is stored', async () => {
    const { endpoint } = stubPushBrowser({ answer: 'denied' });
    const { heard } = servePush();
    signInAs(ASHA);
    expect(await subscribe(ASHA)).toBe(false);
    expect([endpoint(), heard.put, localStorage.getItem(PUSH_KEY)]).toEqual([null, [], null]);
  });

  test('if the server refuses the subscription, the phone does not count as subscribed', async () => {
    stubPushBrowser();
    servePush();
    server.use(http.put('*/api/push/subscriptions', () => refuse(500, 'internal_error')));
    signInAs(ASHA);
    await expect(subscribe(ASHA)).rejects.toThrow();
    expect(isSubscribed('asha')).toBe(false);
  });

  test('agreeing to pushes a second time does not change the subscription, unless the server’s VAPID key has changed', async () => {
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

  test('agreeing to pushes ends the push subscription that another person has on the same phone', async () => {
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
    ['204', () => new HttpResponse(null, { status: 204 })],
    ['500', () => refuse(500, 'internal_error')],
  ])(
    'unsubscribing ends the push subscription in the browser, even if the server fails (status of the response: %s)',
    async (_how, answer) => {
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
      // The request is sent even if the page is closed at that moment.
      expect(fetched).toHaveBeenLastCalledWith(expect.anything(), expect.objectContaining({ keepalive: true }));
      await unsubscribe(ASHA);
      expect(told).toHaveLength(1);
    },
  );

  test('the subscription is sent again within a day only if its URL has changed', async () => {
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
    ['is missing', null],
    ['is unreadable', '{"userId'],
  ])(
    'when the app starts, the browser’s push subscription ends if the stored record of who subscribed %s',
    async (_what, kept) => {
      const { endpoint } = stubPushBrowser({ permission: 'granted', subscribed: { endpoint: 'old', key: KEY } });
      servePush();
      if (kept) localStorage.setItem(PUSH_KEY, kept);
      signInAs(ASHA);
      await settlePushes();
      expect(endpoint()).toBeNull();
    },
  );

  test('when the app starts on a phone without a push subscription, the app sends no request about subscriptions', async () => {
    stubPushBrowser({ permission: 'granted' });
    const { heard } = servePush();
    signInAs(ASHA);
    await settlePushes();
    expect([heard.put, heard.deleted]).toEqual([[], []]);
  });

  test('a notice that the user has read is removed from the lock screen, if the browser allows notifications', async () => {
    const { seen } = stubPushBrowser({ permission: 'granted' });
    closePhoneNotifications([]);
    closePhoneNotifications(['one', 'two']);
    await vi.waitFor(() => expect(seen.posted).toEqual([{ type: 'notices-ended', ids: ['one', 'two'] }]));
    Object.assign(Notification, { permission: 'default' });
    closePhoneNotifications(['three']);
    await Promise.resolve();
    expect(seen.posted).toHaveLength(1);
  });
});

const PUSH = {
  type: 'matching_post',
  id: 'notice-1',
  title: 'Somebody has found a document',
  body: 'Open Patikana to see whether it is yours.',
  url: '/posts/found-post',
  language: 'en',
  silent: false,
};

function show(overrides: object = {}) {
  return toNotice(JSON.stringify({ ...PUSH, ...overrides }));
}

test.each([
  ['en', 'View', 'Not this one'],
  ['sw', 'Tazama', 'Si hiki'],
])('a push notification about a match has the language %s and the buttons “%s” and “%s”', (language, view, notThis) => {
  const { title, options } = show({ language });
  expect(title).toBe(PUSH.title);
  expect(options).toMatchObject({ body: PUSH.body, lang: language, tag: 'notice-1', silent: false });
  expect(options.actions.map((action) => action.title)).toEqual([view, notThis]);
  expect(addressToOpen(options.data, '')).toBe('/posts/found-post');
  expect(addressToOpen(options.data, 'view')).toBe('/posts/found-post');
  expect(addressToOpen(options.data, 'dismiss')).toBe('/notices?dismiss=notice-1');
});

test('a notification has the button “Not this one” only for a match, and is silent during quiet hours', () => {
  const { options } = show({ type: 'community_approved', silent: true });
  expect(options.actions.map(({ action }) => action)).toEqual(['view']);
  expect(options.silent).toBe(true);
});

test('a push in a language that the app does not support is shown with English buttons', () => {
  const { options } = show({ language: 'fr' });
  expect(options).not.toHaveProperty('lang');
  expect(options.actions[0]?.title).toBe('View');
});

test.each([
  ['nothing', null],
  ['no JSON', 'habari'],
  ['a number', '7'],
  ['null', 'null'],
  ['no id', JSON.stringify({ ...PUSH, id: undefined })],
  ['an empty title', JSON.stringify({ ...PUSH, title: '' })],
  ['a body that is no text', JSON.stringify({ ...PUSH, body: { html: '<b>' } })],
])('a push that contains %s is shown as a general notification whose text is in both languages', (_what, text) => {
  const { title, options } = toNotice(text);
  expect(title).toBe('Patikana');
  expect(options.body).toBe('You have a new notice.\nUna arifa mpya.');
  expect(addressToOpen(options.data, '')).toBe('/notices');
  expect(addressToOpen(options.data, 'dismiss')).toBe('/notices');
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  'javascript:alert(1)',
  'posts/1',
  7,
  undefined,
])('a notification whose URL is outside the app opens the list of notices: %s', (url) => {
  expect(addressToOpen(show({ url }).options.data, '')).toBe('/notices');
});
