import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { renewOldToken } from '#web/lib/renew-token.ts';
import { getSession, onSessionChange, signInAs, signOut } from '#web/lib/session.ts';
import { refuse } from './support/posts.ts';
import { server } from './support/setup.ts';

const START = Date.parse('2026-11-01T08:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  signInAs({ token: 'first', userId: 'asha' });
});
afterEach(() => vi.useRealTimers());

/** Answers each time with another token. */
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

test('a token is replaced once a day at most, however often the app is opened', async () => {
  const asked = serveTokens();
  for (let hour = 0; hour <= 72; hour++) {
    vi.setSystemTime(START + hour * HOUR_MS);
    await renewOldToken();
  }
  expect(asked).toEqual(['Bearer first', 'Bearer new-1', 'Bearer new-2']);
  expect(getSession()).toEqual({ token: 'new-3', userId: 'asha' });
});

test('a renewed token is the same person: cached data stays', async () => {
  serveTokens();
  const changes: string[] = [];
  const stop = onSessionChange((_session, change) => changes.push(change));
  vi.setSystemTime(START + 24 * HOUR_MS);
  await renewOldToken();
  stop();
  expect(changes).toEqual(['renewed']);
});

test('without a network the renewal is tried again at the next opening', async () => {
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

test('a server that fails is not asked again on the same day', async () => {
  const asked = serveTokens(() => refuse(500, 'internal_error'));
  vi.setSystemTime(START + 24 * HOUR_MS);
  await renewOldToken();
  await renewOldToken();
  expect(asked).toHaveLength(1);
  expect(getSession()?.token).toBe('first');
});

test('a token that is dead ends the session', async () => {
  serveTokens(() => refuse(401, 'unauthorized'));
  vi.setSystemTime(START + 24 * HOUR_MS);
  await renewOldToken();
  await vi.waitFor(() => expect(getSession()).toBeNull());
});

test('somebody who signs out during the renewal stays signed out', async () => {
  serveTokens(() => {
    signOut();
    return HttpResponse.json({ access_token: 'late' });
  });
  vi.setSystemTime(START + 24 * HOUR_MS);
  await renewOldToken();
  expect(getSession()).toBeNull();
});
