import { fireEvent } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { onSessionChange } from '#web/lib/session.ts';

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
