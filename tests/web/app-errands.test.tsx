import { act, fireEvent, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { Errands } from '#web/app/errands.tsx';
import { subscribe } from '#web/lib/push-subscription.ts';
import { expireSession, signInAs, signOut, TOKEN_SINCE_KEY } from '#web/lib/session.ts';
import { stubPushBrowser } from './support/push-browser.ts';
import { servePush } from './support/push-server.ts';
import { server } from './support/setup.ts';

const START = Date.parse('2026-11-01T08:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  signInAs({ token: 'first', userId: 'a-user' });
});
afterEach(() => vi.useRealTimers());

function Where() {
  return <output>{useLocation().pathname}</output>;
}

function open() {
  return render(
    <MemoryRouter>
      <Errands />
      <Where />
    </MemoryRouter>,
  );
}

function serveTokens() {
  const asked: (string | null)[] = [];
  server.use(
    http.post('*/api/me/token', ({ request }) => {
      asked.push(request.headers.get('Authorization'));
      return HttpResponse.json({ access_token: `new-${asked.length}` });
    }),
  );
  return asked;
}

function serveSessionEnds() {
  const ended: unknown[] = [];
  server.use(
    http.delete('*/api/me/devices/:id', ({ params, request }) => {
      ended.push([params.id, request.headers.get('Authorization')]);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return ended;
}

/** The page is put away or looked at, so many hours after it was opened. */
function turn(visibility: DocumentVisibilityState, hours: number): void {
  vi.setSystemTime(START + hours * HOUR_MS);
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  fireEvent(document, new Event('visibilitychange'));
  state.mockRestore();
}

test('a token that is a day old is replaced at the opening', async () => {
  const asked = serveTokens();
  vi.setSystemTime(START + 25 * HOUR_MS);
  open();
  await expect.poll(() => localStorage.getItem('token')).toBe('new-1');
  expect(asked).toEqual(['Bearer first']);
});

test('a page that stood open for days has its token replaced when it is looked at again', async () => {
  const asked = serveTokens();
  open();
  turn('hidden', 30);
  turn('visible', 48);
  await expect.poll(() => localStorage.getItem('token')).toBe('new-1');
  expect(asked).toHaveLength(1);
  expect(localStorage.getItem(TOKEN_SINCE_KEY)).toBe(String(START + 48 * HOUR_MS));
});

test('whoever was signed out meanwhile has no token that could be replaced, nor has a page that was left', async () => {
  const asked = serveTokens();
  const sent = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => sent.mockRestore());
  const { unmount } = open();
  await act(() => expireSession('first'));
  turn('visible', 48);
  act(() => signInAs({ token: 'second', userId: 'a-user' }));
  unmount();
  turn('visible', 96);
  await act(async () => undefined);
  expect(sent).not.toHaveBeenCalled();
  expect(asked).toEqual([]);
});

test.each([
  ['of another kind', { type: 'closed', address: '/notices' }],
  ['without an address', { type: 'open' }],
  ['about nothing', null],
])('a message of the service worker %s takes nobody anywhere', (_what, message) => {
  const { tell } = stubPushBrowser();
  open();
  const answered = vi.fn();
  act(() => tell(message, [{ postMessage: answered }]));
  expect(screen.getByRole('status')).toHaveTextContent('/');
  expect(screen.getByRole('status')).not.toHaveTextContent('notices');
  expect(answered).not.toHaveBeenCalled();
});

test('of whoever signs in while the app is open and then out, the server hears it with their own token', async () => {
  const { endpoint } = stubPushBrowser();
  const { heard } = servePush();
  const juma = { token: 'jumas-token', userId: 'juma' };
  open();
  await act(() => expireSession('first'));
  act(() => signInAs(juma));
  await act(async () => void (await subscribe(juma)));
  act(signOut);
  await expect.poll(() => heard.deleted).toEqual([['https://push.example/1', 'Bearer jumas-token']]);
  expect(endpoint()).toBeNull();
});

test('the service worker is answered by one page, and by none that was left', () => {
  const { tell } = stubPushBrowser();
  const { unmount } = open();
  const answered = vi.fn();
  act(() => tell({ type: 'open', address: '/notices' }, [{ postMessage: answered }]));
  expect(screen.getByRole('status')).toHaveTextContent('/notices');
  expect(answered).toHaveBeenCalledExactlyOnceWith('opened');
  unmount();
  tell({ type: 'open', address: '/notices' }, [{ postMessage: answered }]);
  expect(answered).toHaveBeenCalledOnce();
});

test('logging out ends the session at the server, once, with the token of that session', async () => {
  stubPushBrowser();
  const ended = serveSessionEnds();
  const sent = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => sent.mockRestore());
  open();
  act(signOut);
  await expect.poll(() => ended).toEqual([['current', 'Bearer first']]);
  expect(sent.mock.calls.map(([, request]) => request?.keepalive)).toEqual([true]);
  act(() => signInAs({ token: 'second', userId: 'a-user' }));
  await act(() => expireSession('second'));
  expect(ended).toHaveLength(1);
});
