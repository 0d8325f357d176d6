import { fireEvent } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { expireSession, getSession, onSessionChange, replaceToken, signInAs } from '#web/lib/session.ts';

test('a sign-in in another tab, which writes two keys, is one change of session', () => {
  const changes: unknown[] = [];
  const stop = onSessionChange((session, change) => changes.push([session, change]));
  onTestFinished(() => void stop());
  localStorage.setItem('token', 'T');
  localStorage.setItem('userID', 'U');
  for (const key of ['token', 'userID', 'i18nextLng']) fireEvent(window, new StorageEvent('storage', { key }));
  expect(changes).toEqual([[{ token: 'T', userId: 'U' }, 'elsewhere']]);
  localStorage.clear();
  fireEvent(window, new StorageEvent('storage', { key: null }));
  expect(changes.at(-1)).toEqual([null, 'elsewhere']);
});

test('another token of the same person, from another tab, is no other session', () => {
  signInAs({ token: 'T', userId: 'U' });
  const changes: unknown[] = [];
  const stop = onSessionChange((session, change) => changes.push([session?.token, change]));
  onTestFinished(() => void stop());
  localStorage.setItem('token', 'T2');
  fireEvent(window, new StorageEvent('storage', { key: 'token' }));
  expect(changes).toEqual([['T2', 'renewed']]);
});

test('while a token is replaced, a refusal of the one before ends nothing', async () => {
  const held = holdLocks();
  signInAs({ token: 'T', userId: 'U' });
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const replaced = replaceToken(() => answer);
  const refused = expireSession('T');
  resolve('T2');
  await replaced;
  await held();
  await refused;
  expect(getSession()).toEqual({ token: 'T2', userId: 'U' });
});

test('a token that could not be replaced and is refused ends the session after all', async () => {
  holdLocks();
  signInAs({ token: 'T', userId: 'U' });
  await expect(
    replaceToken(async () => {
      void expireSession('T');
      throw new Error('401');
    }),
  ).rejects.toThrow('401');
  await vi.waitFor(() => expect(getSession()).toBeNull());
});

/** jsdom has no locks: one line for all, as a browser has it. @returns what waits until nobody stands in it. */
function holdLocks(): () => Promise<unknown> {
  let line: Promise<unknown> = Promise.resolve();
  const request = (_name: string, run: () => unknown) => {
    const turn = line.then(run);
    line = turn.catch(() => undefined);
    return turn;
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
  return () => line;
}
