import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { answerInTime, errorFrames, errorName, log, workFor } from '#worker/errors/log.ts';
import { toErrorBody } from '#worker/http/answer-error.ts';
import { chooseLanguage } from '#worker/http/context.ts';
import { toValidationError } from '#worker/http/validate.ts';

describe('errors', () => {
  const PATIENCE_MS = 3_000;

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('a promise that settles in time keeps its result or its failure', async () => {
    expect(await answerInTime(async () => 'jibu', PATIENCE_MS)).toBe('jibu');
    const failure = new TypeError('imeshindikana');
    await expect(answerInTime(() => Promise.reject(failure), PATIENCE_MS)).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a promise that never settles fails at the timeout, and not before', async () => {
    const settled = vi.fn();
    const waiting = answerInTime(() => new Promise(() => {}), PATIENCE_MS).catch(settled);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(settled).toHaveBeenCalledExactlyOnceWith(expect.any(Error));
  });

  test('the log of an error contains its kind and position, never its message', () => {
    const error = new RangeError('Simu 0712345678\nya Asha');
    expect(errorName(error)).toBe('RangeError');
    expect(errorName('0712345678')).toBe('string');
    const frames = errorFrames(error);
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/^\s+at /);
    expect(errorFrames('0712345678')).toEqual([]);
    expect(errorFrames(Object.assign(new Error('x'), { stack: undefined }))).toEqual([]);
  });

  test('an error has its code’s status unless another is given, and no fields or wait by default', () => {
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
});

test('the detail of one invalid field is its message, including the limit', () => {
  const error = new AppError('validation_failed', { fields: [{ field: 'title', message: 'text_too_long', max: 120 }] });
  expect(toErrorBody(error, 'sw')).toEqual({
    code: 'validation_failed',
    detail: 'Maandishi ni marefu mno: yasizidi herufi 120.',
    errors: [{ field: 'title', message: 'Maandishi ni marefu mno: yasizidi herufi 120.' }],
  });
});

test('an error without fields lists none, and its status is the catalogue’s', () => {
  const error = new AppError('email_taken');
  expect(toErrorBody(error, 'en')).toEqual({
    code: 'email_taken',
    detail: 'An account with this email already exists.',
  });
  expect(error.status).toBe(409);
  expect(invalidField('password', 'password_common').status).toBe(422);
});

function fieldsOf(schema: z.ZodMiniType, input: unknown) {
  const { error } = schema.safeParse(input);
  if (!error) throw new Error('nothing is wrong');
  return toValidationError(error).fields;
}

test('each invalid field reports its first problem, with its limit', () => {
  const title = z.string().check(z.maxLength(3, 'text_too_long'), z.regex(/^\d+$/, 'code_invalid'));
  const schema = z.object({ title, place: z.object({ name: z.string('location_required') }) });
  expect(fieldsOf(schema, { title: 'abcd', place: {} })).toEqual([
    { field: 'title', message: 'text_too_long', max: 3 },
    { field: 'place.name', message: 'location_required' },
  ]);
});

test('a problem without a sentence is an invalid text, and a problem of the whole is reported for the body', () => {
  expect(fieldsOf(z.object({}), 'x')).toEqual([{ field: 'body', message: 'text_invalid' }]);
});

test('a request without one of our languages gets the default of its route', () => {
  expect(chooseLanguage(undefined, 'sw')).toBe('sw');
  expect(chooseLanguage('fr', 'sw')).toBe('sw');
  expect(chooseLanguage('fr, en;q=0.1', 'sw')).toBe('en');
  expect(chooseLanguage(undefined)).toBe('en');
});
