import { act, render, waitFor } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { Errands } from '#web/app/errands.tsx';
import { isSubscribed, settlePushes, subscribe } from '#web/lib/push-subscription.ts';
import { expireSession, signInAs, signOut, TOKEN_SINCE_KEY } from '#web/lib/session.ts';
import { KEY, OTHER_KEY, stubPushBrowser } from './support/push-browser.ts';
import { servePush } from './support/push-server.ts';

const ASHA = { token: 'ashas-token', userId: 'asha' };
const JUMA = { token: 'jumas-token', userId: 'juma' };

afterEach(() => vi.useRealTimers());

/** Asha is signed in and told on this phone; the app is open. */
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

function Where() {
  const { pathname, search } = useLocation();
  return <p data-testid="where">{pathname + search}</p>;
}

test('whoever signs out is told no more on this phone, and the server learns of it', async () => {
  const { seen, heard, endpoint, show } = await open();
  const shown = show('notice-1');
  act(signOut);
  await waitFor(() => expect(heard.deleted).toEqual([['https://push.example/1', 'Bearer ashas-token']]));
  expect(seen.unsubscribed).toEqual(['https://push.example/1']);
  expect(endpoint()).toBeNull();
  expect(shown.isClosed).toBe(true);
});

test('the pushes of somebody whose session has expired go on, and are theirs again when they sign in', async () => {
  const { endpoint, heard } = await open();
  await act(() => expireSession(ASHA.token));
  await act(settlePushes);
  expect(endpoint()).toBe('https://push.example/1');
  act(() => signInAs(ASHA));
  await act(settlePushes);
  expect(heard.put).toHaveLength(1);
  expect(isSubscribed('asha')).toBe(true);
});

test("another person on the same phone gets none of the first one's, and none of their own before they ask", async () => {
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

test('of somebody who signed out before the app could end them, the pushes are ended at the next opening', async () => {
  const { endpoint } = stubPushBrowser({
    permission: 'granted',
    subscribed: { endpoint: 'https://push.example/old', key: KEY },
  });
  servePush();
  await settlePushes();
  expect(endpoint()).toBeNull();
});

test('another key of the server has the phone subscribe anew', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { seen, heard, served } = await open();
  served.key = OTHER_KEY;
  vi.setSystemTime(Date.now() + DAY_MS);
  await act(settlePushes);
  expect(seen.unsubscribed).toEqual(['https://push.example/1']);
  expect(heard.put.at(-1)?.[0]).toBe('https://push.example/2');
});

test('what has not changed is told to the server once a day, in case that it has lost it', async () => {
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

test('a subscription that the browser has ended or replaced is put again when the service worker says so', async () => {
  const { heard, tell } = await open();
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  act(() => tell({ type: 'push-changed' }));
  await waitFor(() => expect(heard.put.at(-1)).toEqual(['https://push.example/2', 'Bearer ashas-token']));
});

test('whoever takes the permission back is left alone', async () => {
  const { seen, heard } = await open();
  Notification.requestPermission = async () => 'denied';
  Object.assign(Notification, { permission: 'denied' });
  await act(settlePushes);
  expect([seen.unsubscribed, heard.deleted, heard.put.length]).toEqual([[], [], 1]);
  expect(isSubscribed('asha')).toBe(false);
});

test('a notification that is pressed takes an open page there, which says so', async () => {
  const { tell } = await open();
  const answered = vi.fn();
  act(() => tell({ type: 'open', address: '/notices?dismiss=7' }, [{ postMessage: answered }]));
  expect(document.querySelector('[data-testid=where]')).toHaveTextContent('/notices?dismiss=7');
  expect(answered).toHaveBeenCalledOnce();
});

test('a page whose reader is signed out leaves it to the service worker', async () => {
  const { tell } = await open();
  const answered = vi.fn();
  localStorage.setItem(TOKEN_SINCE_KEY, String(Date.now()));
  act(signOut);
  act(() => tell({ type: 'open', address: '/notices' }, [{ postMessage: answered }]));
  expect(document.querySelector('[data-testid=where]')).toHaveTextContent('/');
  expect(answered).not.toHaveBeenCalled();
});
