import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import { somePost } from '#tests/support/some-post.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { readOutbox, useOutbox, writeOutbox } from '#web/lib/outbox.ts';
import { canBeSentLater, keepForSending, postponeInOutbox, takeFromOutbox } from '#web/lib/outbox-changes.ts';
import { startOutbox } from '#web/lib/outbox-sender.ts';
import { signInAs, signOut } from '#web/lib/session.ts';
import { loseNetwork } from './support/phone.ts';
import { aPost } from './support/posts.ts';
import { server } from './support/setup.ts';

const ASHA = { token: 'T', userId: 'asha' };
const ANY_TIME = { retryAfterMs: null };

beforeEach(() => signInAs(ASHA));
afterEach(() => vi.useRealTimers());

const aPending = (title: string) => ({ input: { ...somePost, title }, idempotencyKey: `key-of-${title}` });
const titles = () => readOutbox().map(({ input }) => input.title);

function Outbox() {
  return (
    <p>
      Waiting:{' '}
      {useOutbox()
        .map(({ input }) => input.title)
        .join(', ')}
    </p>
  );
}

test.each([
  ['a busy server that says when', new ApiError(503, {}, new Headers({ 'Retry-After': '5' })), true, true],
  ['a busy server that does not', new ApiError(503, {}), true, false],
  ['no network', new ApiError(0, {}), false, true],
  ['no answer over a network', new ApiError(0, {}), true, false],
  ['a refusal, even without a network by now', new ApiError(422, {}), false, false],
  ['a mistake of ours', new Error('x'), false, false],
])('whether a post can wait for another try, after %s', (_what, error, isOnline, canWait) => {
  if (!isOnline) loseNetwork();
  expect(canBeSentLater(error)).toBe(canWait);
});

test('what waits is kept as it was written, once, behind what was written before', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T08:00:00Z') });
  keepForSending(aPending('Funguo'), ANY_TIME);
  keepForSending(aPending('Pochi'), ANY_TIME);
  expect(keepForSending(aPending('Funguo'), { retryAfterMs: 5_000 })).toBe(true);
  expect(titles()).toEqual(['Pochi', 'Funguo']);
  const [purse, keys] = readOutbox();
  expect(purse).toMatchObject({ writtenAt: '2026-11-23T08:00:00.000Z', refusal: null, sendAfter: null });
  expect(keys).toMatchObject({ idempotencyKey: 'key-of-Funguo', sendAfter: Date.now() + 5_000 });
  postponeInOutbox('key-of-Pochi', 7_000);
  expect(readOutbox().map(({ sendAfter }) => sendAfter)).toEqual([Date.now() + 7_000, Date.now() + 5_000]);
  takeFromOutbox('key-of-Funguo');
  expect(titles()).toEqual(['Pochi']);
  takeFromOutbox('key-of-Pochi');
  expect(localStorage.getItem('outbox:asha')).toBeNull();
});

test('nothing is kept of a visitor, nor on a full phone, and it is said so', () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  expect(keepForSending(aPending('Funguo'), ANY_TIME)).toBe(false);
  full.mockRestore();
  signOut();
  expect(keepForSending(aPending('Funguo'), ANY_TIME)).toBe(false);
  expect(localStorage).not.toHaveProperty('outbox:asha');
  expect(readOutbox()).toEqual([]);
});

test.each(['{"a":', '{"a":1}', '7'])('an outbox that says %s is an empty one', (stored) => {
  localStorage.setItem('outbox:asha', stored);
  expect(readOutbox()).toEqual([]);
});

test('a screen follows what waits of who is signed in, in this tab and others', () => {
  const { unmount } = render(<Outbox />);
  act(() => void keepForSending(aPending('Funguo'), ANY_TIME));
  expect(screen.getByText('Waiting: Funguo')).toBeInTheDocument();
  localStorage.removeItem('outbox:asha');
  act(() => void fireEvent(window, new StorageEvent('storage', { key: 'outbox:asha' })));
  expect(screen.getByText('Waiting:')).toBeInTheDocument();
  act(() => void writeOutbox([{ ...aPending('Pochi'), writtenAt: '', refusal: null, sendAfter: null }]));
  act(() => signInAs({ token: 'J', userId: 'juma' }));
  expect(screen.getByText('Waiting:')).toBeInTheDocument();
  act(() => signInAs(ASHA));
  expect(screen.getByText('Waiting: Pochi')).toBeInTheDocument();
  unmount();
});

/** Answers the first try with this. @returns when each came, in minutes. */
function servePosting(answer: () => Response): number[] {
  const tries: number[] = [];
  const start = Date.now();
  server.use(
    http.post('*/api/posts', () => {
      tries.push(Math.round((Date.now() - start) / MINUTE_MS));
      return (tries.length === 1 ? answer() : HttpResponse.json(aPost(), { status: 201 })) as never;
    }),
  );
  return tries;
}

test('by one post that is to wait all of them do, as long as the server says, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const tries = servePosting(() => HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '600' } }));
  keepForSending(aPending('Funguo'), ANY_TIME);
  keepForSending(aPending('Pochi'), ANY_TIME);
  onTestFinished(startOutbox());
  await vi.waitFor(() => expect(readOutbox()[0]?.sendAfter).not.toBeNull());
  fireEvent(window, new Event('online'));
  await vi.advanceTimersByTimeAsync(9 * MINUTE_MS);
  expect(tries).toEqual([0]);
  await vi.advanceTimersByTimeAsync(MINUTE_MS + 1_000);
  await waitFor(() => expect(readOutbox()).toEqual([]));
  expect(tries).toEqual([0, 10, 10]);
});

test('a refused post that was to wait holds up nobody', async () => {
  const tries = servePosting(() => HttpResponse.json(aPost(), { status: 201 }));
  keepForSending(aPending('Funguo'), { retryAfterMs: 10 * MINUTE_MS });
  writeOutbox(readOutbox().map((post) => ({ ...post, refusal: 'No.' })));
  keepForSending(aPending('Pochi'), ANY_TIME);
  onTestFinished(startOutbox());
  await waitFor(() => expect(titles()).toEqual(['Funguo']));
  expect(tries).toHaveLength(1);
});
