import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '#web/lib/api-client.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { expireSession, signInAs, signOut } from '#web/lib/session.ts';
import { loseNetwork } from './support/phone.ts';
import './support/setup.ts';

const KEY = queryKeys.blocks;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const failure = (status: number, retryAfter?: string) =>
  new ApiError(status, {}, new Headers(retryAfter ? { 'Retry-After': retryAfter } : {}));

/** Somebody looks at what is asked for. @returns when it was, in seconds from now. */
function watch(answer: () => unknown): number[] {
  const start = Date.now();
  const asked: number[] = [];
  const queryFn = async () => {
    asked.push((Date.now() - start) / 1000);
    return answer();
  };
  onTestFinished(new QueryObserver(queryClient, { queryKey: KEY, queryFn }).subscribe(() => undefined));
  return asked;
}

const fail = (error: Error) => () => {
  throw error;
};
const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

test('what a server or the line has failed is asked three times more, ever later, and then every half minute', async () => {
  const asked = watch(fail(failure(500)));
  await wait(20);
  expect(asked).toEqual([0, 1, 3, 7]);
  await wait(20);
  expect(asked[4]).toBe(37);
});

test('a server is asked again when it says, if that is soon', async () => {
  const asked = watch(fail(failure(503, '5')));
  await wait(12);
  expect(asked).toEqual([0, 5, 10]);
});

test('whoever is to wait longer than five seconds is told so at once', async () => {
  const asked = watch(fail(failure(503, '6')));
  await wait(1);
  expect(queryClient.getQueryState(KEY)?.status).toBe('error');
  await wait(28);
  expect(asked).toEqual([0]);
});

test('a server that is to be left alone for long is asked when it says', async () => {
  const asked = watch(fail(failure(429, '90')));
  await wait(1);
  expect(queryClient.getQueryState(KEY)?.status).toBe('error');
  await wait(88);
  expect(asked).toEqual([0]);
  await wait(2);
  expect(asked).toEqual([0, 90]);
});

test.each([
  ['a refusal', failure(404)],
  ['an expired session', failure(401)],
  ['a mistake of ours', new TypeError('x is undefined')],
])('%s is never asked again', async (_what, error) => {
  const asked = watch(fail(error));
  await wait(600);
  expect(asked).toEqual([0]);
});

test('without a network it is asked once, at once, and said to have failed', async () => {
  loseNetwork();
  const asked = watch(fail(failure(0)));
  await wait(20);
  expect(asked).toEqual([0]);
  expect(queryClient.getQueryState(KEY)).toMatchObject({ status: 'error', fetchStatus: 'idle' });
});

test('what is well is not asked again by itself, and counts as fresh for five minutes', async () => {
  const first = watch(() => 'well');
  await wait(299);
  expect(watch(() => 'well')).toEqual([]);
  await wait(1);
  await wait(0);
  const later = watch(() => 'well');
  await wait(0);
  expect(later).toEqual([0]);
  expect(first).toEqual([0]);
});

test('what was read is kept for a day, to be read without a network', async () => {
  queryClient.setQueryData(KEY, 'seen');
  await wait(24 * 60 * 60 - 1);
  expect(queryClient.getQueryData(KEY)).toBe('seen');
  await wait(1);
  expect(queryClient.getQueryData(KEY)).toBeUndefined();
});

test('what one account has read is gone with it, and stays when its token is renewed', async () => {
  const seen = () => queryClient.getQueryData(KEY);
  const changes: [string, () => unknown][] = [
    ['signs in', () => signInAs({ token: 'T', userId: 'asha' })],
    ['expires', () => expireSession('T')],
    ['signs out', signOut],
  ];
  for (const [, change] of changes) {
    queryClient.setQueryData(KEY, 'seen');
    await change();
    expect(seen()).toBeUndefined();
  }
  signInAs({ token: 'T', userId: 'asha' });
  queryClient.setQueryData(KEY, 'seen');
  localStorage.setItem('token', 'T2');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(seen()).toBe('seen');
});

test('what somebody does is tried without a network too, at once and once', async () => {
  const findNetwork = loseNetwork();
  window.dispatchEvent(new Event('offline'));
  const act = vi.fn(async () => 'done');
  const done = queryClient.getMutationCache().build(queryClient, { mutationFn: act }).execute(undefined);
  await wait(0);
  expect(act).toHaveBeenCalledOnce();
  await done;
  findNetwork();
  window.dispatchEvent(new Event('online'));
});
