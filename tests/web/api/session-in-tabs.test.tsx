import '#tests/web/support/setup.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  expireSession,
  getSession,
  onSessionChange,
  PUSH_KEY,
  replaceToken,
  signInAs,
  signOut,
  TOKEN_SINCE_KEY,
  useChangesElsewhere,
  useSession,
} from '#web/api/session.ts';

const ASHA = { token: 'T', userId: 'asha' };
const JUMA = { token: 'J', userId: 'juma' };
let changes: string[] = [];

beforeEach(() => {
  changes = [];
  onTestFinished(onSessionChange((session, change) => changes.push(`${change}: ${session?.token}`)) as () => void);
});
afterEach(() => vi.useRealTimers());

/** Simulates that another tab of the same browser stores a session. */
function writeElsewhere({ token, userId }: { token: string; userId: string }): void {
  localStorage.setItem('token', token);
  localStorage.setItem('userID', userId);
  act(() => void fireEvent(window, new StorageEvent('storage', { key: 'userID' })));
}

test('signing in stores the token, the user’s id and the time of the sign-in, and signing out removes the token and the id', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5_000 });
  localStorage.setItem(PUSH_KEY, '{}');
  signInAs(ASHA);
  expect(getSession()).toEqual(ASHA);
  expect({ ...localStorage }).toMatchObject({ token: 'T', userID: 'asha', [TOKEN_SINCE_KEY]: '5000' });
  signOut();
  expect(getSession()).toBeNull();
  for (const key of ['token', 'userID', PUSH_KEY]) expect(localStorage.getItem(key)).toBeNull();
  expect(changes).toEqual(['signed-in: T', 'signed-out: undefined']);
});

test('a stored session without the user’s id counts as signed out', async () => {
  localStorage.setItem('token', 'T');
  vi.resetModules();
  expect((await import('#web/api/session.ts')).getSession()).toBeNull();
  localStorage.setItem('userID', 'asha');
  vi.resetModules();
  expect((await import('#web/api/session.ts')).getSession()).toEqual(ASHA);
});

test('if the server refuses the token, the session ends as expired, and the stored push subscription remains', async () => {
  signInAs(ASHA);
  localStorage.setItem(PUSH_KEY, '{}');
  await expireSession('T');
  expect([getSession(), localStorage.getItem('token'), localStorage.getItem('userID')]).toEqual([null, null, null]);
  expect(localStorage.getItem(PUSH_KEY)).toBe('{}');
  expect(changes.at(-1)).toBe('expired: undefined');
});

test('if the server refuses a token after the browser has replaced it, the session does not end', async () => {
  signInAs(ASHA);
  signInAs({ ...ASHA, token: 'T2' });
  await expireSession('T');
  expect(getSession()?.token).toBe('T2');
  // Another tab has stored a new token. The event about the change has not arrived yet.
  localStorage.setItem('token', 'T3');
  await expireSession('T2');
  expect(localStorage.getItem('token')).toBe('T3');
  expect(changes.some((change) => change.startsWith('expired'))).toBe(false);
});

test('a new session token is stored only for the person who requested it, and only if the server issues one', async () => {
  signInAs(ASHA);
  await replaceToken(async () => null);
  expect(getSession()).toEqual(ASHA);
  await replaceToken(async () => {
    signInAs(JUMA);
    return 'T2';
  });
  expect(getSession()).toEqual(JUMA);
  signOut();
  await replaceToken(async () => 'T3');
  expect([getSession(), localStorage.getItem('token')]).toEqual([null, null]);
  expect(changes.some((change) => change.startsWith('renewed'))).toBe(false);
});

test('after replacing the session token, a tab holds the shared lock for half a second, so that other tabs read the new token', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  signInAs(ASHA);
  const free = vi.fn();
  const request = (_name: string, run: () => Promise<void>) => run().finally(free);
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
  await replaceToken(async () => 'T2');
  expect(changes.at(-1)).toBe('renewed: T2');
  await vi.advanceTimersByTimeAsync(499);
  expect(free).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(free).toHaveBeenCalledOnce();
});

test('writing the same session in another tab is not reported as a session change', () => {
  signInAs(ASHA);
  writeElsewhere(ASHA);
  expect(changes).toEqual(['signed-in: T']);
});

function Who() {
  return (
    <p>
      {useSession()?.userId ?? 'nobody'}, {useChangesElsewhere()} changes elsewhere
    </p>
  );
}

test('a screen shows the current session, and remounts when another person signs in in another tab', () => {
  const { unmount } = render(<Who />);
  const shown = () => screen.getByText(/changes elsewhere/).textContent?.split(', ') ?? [];
  const [nobody, before] = shown();
  expect(nobody).toBe('nobody');
  writeElsewhere(ASHA);
  // A visitor's screen shows no user's data, so a sign-in does not remount the screen.
  expect(shown()).toEqual(['asha', before]);
  act(() => signInAs({ ...ASHA, token: 'T2' }));
  writeElsewhere({ ...ASHA, token: 'T3' });
  expect(shown()).toEqual(['asha', before]);
  writeElsewhere(JUMA);
  expect(shown()[0]).toBe('juma');
  const between = shown()[1];
  expect(between).not.toBe(before);
  localStorage.clear();
  act(() => void fireEvent(window, new StorageEvent('storage', { key: null })));
  expect(shown()[0]).toBe('nobody');
  expect([before, between]).not.toContain(shown()[1]);
  const last = shown();
  act(() => signInAs(ASHA));
  act(signOut);
  expect(shown()).toEqual(last);
  unmount();
});
