import { afterEach, expect, test, vi } from 'vitest';
import { violatedUniqueColumn } from '#worker/db/client.ts';
import { callAgain, isUnavailable } from '#worker/db/retry.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';

type Row = { at: number; id: string };
const ROWS: Row[] = [
  { at: 30, id: 'c.d' },
  { at: 20, id: 'b' },
  { at: 10, id: 'a' },
];
const keyOf = ({ at, id }: Row) => ({ time: at, id });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a page of a list ends where another row was read, and names its last one', () => {
  expect(toTimePage(ROWS, 2, keyOf)).toEqual({ rows: ROWS.slice(0, 2), nextCursor: '20.b' });
  expect(toTimePage(ROWS, 3, keyOf)).toEqual({ rows: ROWS, nextCursor: null });
  expect(toTimePage([], 3, keyOf)).toEqual({ rows: [], nextCursor: null });
});

test('a cursor is read as it was written, also where the id has a dot', () => {
  const { nextCursor } = toTimePage(ROWS, 1, keyOf);
  expect(parseTimeCursor(nextCursor ?? undefined)).toEqual({ time: 30, id: 'c.d' });
  expect(parseTimeCursor(undefined)).toBeNull();
});

test('a lost call is made again after pauses that double from a tenth of a second', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const pauses = vi.spyOn(globalThis, 'setTimeout');
  const call = vi.fn().mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
  const lost = expect(callAgain(call)).rejects.toThrow('lost');
  await vi.runAllTimersAsync();
  await lost;
  expect(pauses.mock.calls.map(([, pauseMs]) => pauseMs)).toEqual([100, 200, 400, 800]);
  expect(call).toHaveBeenCalledTimes(5);
});

test('the pause before a lost call is made again is another one each time, up to its longest', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.25);
  const pauses = vi.spyOn(globalThis, 'setTimeout');
  const call = vi.fn().mockRejectedValueOnce(new Error('Network connection lost.')).mockResolvedValue('answer');
  const answer = callAgain(call);
  await vi.runAllTimersAsync();
  expect(await answer).toBe('answer');
  expect(pauses.mock.calls.map(([, pauseMs]) => pauseMs)).toEqual([25]);
});

test.each([
  [new Error('D1_ERROR: Network connection lost.'), true],
  [new Error('drizzle', { cause: new Error('Durable Object is overloaded.') }), true],
  [new Error('drizzle', { cause: new Error('no such column') }), false],
  ['Network connection lost.', false],
])('%s is the platform’s: %s', (error, is) => expect(isUnavailable(error)).toBe(is));

test('which column had to be unlike all others is told by the error, or by what caused it', () => {
  const violated = new Error('D1_ERROR: UNIQUE constraint failed: users.email_key: SQLITE_CONSTRAINT');
  expect(violatedUniqueColumn(violated)).toBe('users.email_key');
  expect(violatedUniqueColumn(new Error('Failed query', { cause: violated }))).toBe('users.email_key');
  expect(violatedUniqueColumn(new Error('D1_ERROR: no such column'))).toBeNull();
});
