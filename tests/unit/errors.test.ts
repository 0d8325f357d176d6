import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerInTime } from '#worker/errors/answer-in-time.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { errorFrames, errorName } from '#worker/errors/error-name.ts';
import { log, workFor } from '#worker/errors/log.ts';

const PATIENCE_MS = 3_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('what answers in time is its answer, and what fails in time is its failure', async () => {
  expect(await answerInTime(async () => 'jibu', PATIENCE_MS)).toBe('jibu');
  const failure = new TypeError('imeshindikana');
  await expect(answerInTime(() => Promise.reject(failure), PATIENCE_MS)).rejects.toBe(failure);
  expect(vi.getTimerCount()).toBe(0);
});

test('what never answers fails once the patience is over, and not before', async () => {
  const settled = vi.fn();
  const waiting = answerInTime(() => new Promise(() => {}), PATIENCE_MS).catch(settled);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(settled).toHaveBeenCalledExactlyOnceWith(expect.any(Error));
});

test('of an error its kind may be logged and where it happened, never what it says', () => {
  const error = new RangeError('Simu 0712345678\nya Asha');
  expect(errorName(error)).toBe('RangeError');
  expect(errorName('0712345678')).toBe('string');
  const frames = errorFrames(error);
  expect(frames.length).toBeGreaterThan(0);
  for (const frame of frames) expect(frame).toMatch(/^\s+at /);
  expect(errorFrames('0712345678')).toEqual([]);
  expect(errorFrames(Object.assign(new Error('x'), { stack: undefined }))).toEqual([]);
});

test('an error has its code’s status unless it is given another, and no fields or wait unless it has some', () => {
  const plain = new AppError('post_not_found');
  expect([plain.code, plain.name, plain.status, plain.fields, plain.retryAfterSeconds]).toEqual([
    'post_not_found',
    'AppError',
    404,
    [],
    null,
  ]);
  const fields = [{ field: 'title', message: 'text_too_long' as const, max: 120 }];
  const detailed = new AppError('validation_failed', { fields, retryAfterSeconds: 7, status: 409 });
  expect([detailed.fields, detailed.retryAfterSeconds, detailed.status]).toEqual([fields, 7, 409]);
  expect(invalidField('title', 'text_invalid')).toMatchObject({
    code: 'validation_failed',
    status: 422,
    fields: [{ field: 'title', message: 'text_invalid' }],
  });
});

test.each(['info', 'warn', 'error'] as const)('%s is one line of JSON at its own level', (level) => {
  const levels = { info: 'log', warn: 'warn', error: 'error' } as const;
  const spies = Object.values(levels).map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
  const write = log[level] as (event: string, details?: object) => void;
  workFor({ job_id: 'kazi' }, () => write('unavailable', { attempt: 2 }));
  write('unavailable');
  expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([
    ['{"event":"unavailable","job_id":"kazi","attempt":2}'],
    ['{"event":"unavailable"}'],
  ]);
  expect(console[levels[level]]).toHaveBeenCalledTimes(2);
});
