import { act, fireEvent, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { servePush, stubPushBrowser } from '#tests/web/support/push.ts';
import { server } from '#tests/web/support/setup.ts';
import { expireSession, getSession, onSessionChange, signInAs, signOut, TOKEN_SINCE_KEY } from '#web/api/session.ts';
import { Background } from '#web/app/app.tsx';
import { Errands, renewOldToken } from '#web/app/errands.tsx';
import { subscribe } from '#web/push/subscription.ts';

function Where() {
  return <output>{useLocation().pathname}</output>;
}

describe('the app’s background tasks', () => {
  const START = Date.parse('2026-11-01T08:00:00Z');

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    signInAs({ token: 'first', userId: 'a-user' });
  });
  afterEach(() => vi.useRealTimers());

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

  /** Hides or shows the page, this many hours after it was opened. */
  function turn(visibility: DocumentVisibilityState, hours: number): void {
    vi.setSystemTime(START + hours * HOUR_MS);
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
    fireEvent(document, new Event('visibilitychange'));
    state.mockRestore();
  }

  test('a session token that is a day old is replaced when the app opens', async () => {
    const asked = serveTokens();
    vi.setSystemTime(START + 25 * HOUR_MS);
    open();
    await expect.poll(() => localStorage.getItem('token')).toBe('new-1');
    expect(asked).toEqual(['Bearer first']);
  });

  test('a page left open for days replaces the session token when it becomes visible', async () => {
    const asked = serveTokens();
    open();
    turn('hidden', 30);
    turn('visible', 48);
    await expect.poll(() => localStorage.getItem('token')).toBe('new-1');
    expect(asked).toHaveLength(1);
    expect(localStorage.getItem(TOKEN_SINCE_KEY)).toBe(String(START + 48 * HOUR_MS));
  });

  test('a session token is not replaced after a sign-out or after the page was closed', async () => {
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
    ['of an unknown type', { type: 'closed', address: '/notices' }],
    ['without an address', { type: 'open' }],
    ['without content', null],
  ])(
    'an invalid message from the service worker causes no navigation and gets no answer: a message %s',
    (_what, message) => {
      const { tell } = stubPushBrowser();
      open();
      const answered = vi.fn();
      act(() => tell(message, [{ postMessage: answered }]));
      expect(screen.getByRole('status')).toHaveTextContent('/');
      expect(screen.getByRole('status')).not.toHaveTextContent('notices');
      expect(answered).not.toHaveBeenCalled();
    },
  );

  test('the request to delete the push subscription at sign-out carries the token of the user who signs out', async () => {
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

  test('an open page opens the URL that the service worker sends, and sends a confirmation back', () => {
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

  test('logging out ends the session on the server once, with the session’s own token', async () => {
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
});

describe('renewing the session token', () => {
  const START = Date.parse('2026-11-01T08:00:00Z');

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    signInAs({ token: 'first', userId: 'asha' });
  });
  afterEach(() => vi.useRealTimers());

  /** Responds to token requests with `answer`, by default new tokens. @returns the requests' Authorization headers. */
  function serveTokens(answer = (count: number): Response => HttpResponse.json({ access_token: `new-${count}` })) {
    const asked: (string | null)[] = [];
    server.use(
      http.post('*/api/me/token', ({ request }) => {
        asked.push(request.headers.get('Authorization'));
        return answer(asked.length) as never;
      }),
    );
    return asked;
  }

  test('happens at most once a day, however often the app opens', async () => {
    const asked = serveTokens();
    for (let hour = 0; hour <= 72; hour++) {
      vi.setSystemTime(START + hour * HOUR_MS);
      await renewOldToken();
    }
    expect(asked).toEqual(['Bearer first', 'Bearer new-1', 'Bearer new-2']);
    expect(getSession()).toEqual({ token: 'new-3', userId: 'asha' });
  });

  test('keeps the person’s cached data', async () => {
    serveTokens();
    const changes: string[] = [];
    const stop = onSessionChange((_session, change) => changes.push(change));
    vi.setSystemTime(START + 24 * HOUR_MS);
    await renewOldToken();
    stop();
    expect(changes).toEqual(['renewed']);
  });

  test('is retried when the app opens again, if the first try got no response', async () => {
    const asked = serveTokens((count) =>
      count === 1 ? HttpResponse.error() : HttpResponse.json({ access_token: 'new' }),
    );
    vi.setSystemTime(START + 24 * HOUR_MS);
    await renewOldToken();
    expect(getSession()?.token).toBe('first');
    await renewOldToken();
    expect(asked).toHaveLength(2);
    expect(getSession()?.token).toBe('new');
  });

  test('is not retried on the same day if the server failed', async () => {
    const asked = serveTokens(() => refuse(500, 'internal_error'));
    vi.setSystemTime(START + 24 * HOUR_MS);
    await renewOldToken();
    await renewOldToken();
    expect(asked).toHaveLength(1);
    expect(getSession()?.token).toBe('first');
  });

  test('ends the session if the token has been revoked', async () => {
    serveTokens(() => refuse(401, 'unauthorized'));
    vi.setSystemTime(START + 24 * HOUR_MS);
    await renewOldToken();
    await vi.waitFor(() => expect(getSession()).toBeNull());
  });

  test('does not sign in a user who signed out while the new token was requested', async () => {
    serveTokens(() => {
      signOut();
      return HttpResponse.json({ access_token: 'late' });
    });
    vi.setSystemTime(START + 24 * HOUR_MS);
    await renewOldToken();
    expect(getSession()).toBeNull();
  });
});

describe('work in the background', () => {
  // Loads the module before the timers are faked, because nothing loads under fake timers.
  beforeAll(() => import('#web/offline/offline-bars.tsx'));
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const bars = () => screen.queryByRole('status');
  const pass = (ms: number) =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
      await vi.dynamicImportSettled();
    });

  /** A browser whose idle moments the test controls. */
  function stubIdle() {
    const waiting: (() => void)[] = [];
    const ask = vi.fn((run: () => void, _options?: unknown) => waiting.push(run));
    vi.stubGlobal('requestIdleCallback', ask);
    const rest = () =>
      act(async () => {
        for (const run of waiting.splice(0)) run();
        await vi.dynamicImportSettled();
      });
    return { ask, rest };
  }

  test('background work starts about 200 ms after the first render in browsers without idle callbacks', async () => {
    render(<Background />);
    await pass(150);
    expect(bars()).toBeNull();
    await pass(100);
    expect(bars()).toBeInTheDocument();
  });

  test('background work waits until the browser is idle, but for five seconds at most', async () => {
    const { ask, rest } = stubIdle();
    render(<Background />);
    await pass(1_000);
    expect(bars()).toBeNull();
    expect(ask).toHaveBeenCalledExactlyOnceWith(expect.any(Function), { timeout: 5_000 });
    await rest();
    expect(bars()).toBeInTheDocument();
  });

  /** A page that is still loading. */
  function stubLoading() {
    const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    onTestFinished(() => state.mockRestore());
    return state;
  }

  test('background work is not scheduled while the page still loads', async () => {
    const state = stubLoading();
    const { ask, rest } = stubIdle();
    render(<Background />);
    expect(ask).not.toHaveBeenCalled();
    state.mockReturnValue('complete');
    fireEvent(window, new Event('load'));
    fireEvent(window, new Event('load'));
    expect(ask).toHaveBeenCalledOnce();
    await rest();
    expect(bars()).toBeInTheDocument();
  });

  test('if the app is unmounted before the page has loaded, no background work is scheduled', () => {
    stubLoading();
    const { ask } = stubIdle();
    render(<Background />).unmount();
    fireEvent(window, new Event('load'));
    expect(ask).not.toHaveBeenCalled();
  });
});
