import { expect, test } from 'vitest';
import { codeOf, judgeFailure, retryDelaySeconds, type Verdict } from '#worker/email/binding-errors.ts';

const TABLE: Record<Verdict, (string | null)[]> = {
  retry: [null, 'E_RATE_LIMIT_EXCEEDED', 'E_INTERNAL_SERVER_ERROR', 'E_DELIVERY_FAILED', 'E_NEW', 'X_E_HEADER_X'],
  alarm: ['E_SENDER_NOT_VERIFIED', 'E_SENDER_DOMAIN_NOT_AVAILABLE', 'E_DAILY_LIMIT_EXCEEDED'],
  give_up: [
    'E_RECIPIENT_NOT_ALLOWED',
    'E_VALIDATION_ERROR',
    'E_FIELD_MISSING',
    'E_CONTENT_TOO_LARGE',
    'E_TOO_MANY_RECIPIENTS',
    'E_HEADER_NOT_ALLOWED',
    'E_HEADERS_TOO_LARGE',
  ],
  address_refused: ['E_RECIPIENT_SUPPRESSED'],
};

test.each(Object.entries(TABLE))('%s: %j', (verdict, codes) => {
  expect(codes.map((code) => judgeFailure(code))).toEqual(codes.map(() => verdict));
});

test('of an error only its code is kept, and only if it is one', () => {
  const withCode = (code: unknown) => Object.assign(new Error('refused: asha@example.com'), { code });
  expect(codeOf(withCode('E_DELIVERY_FAILED'))).toBe('E_DELIVERY_FAILED');
  expect(codeOf(withCode('x'.repeat(64)))).toBe('x'.repeat(64));
  for (const error of [
    new Error('E_X'),
    withCode(7),
    withCode('asha@example.com'),
    withCode(''),
    { code: 'E_X' },
    null,
  ])
    expect(codeOf(error)).toBeNull();
  expect(codeOf(withCode('x'.repeat(65)))).toBeNull();
});

test('an e-mail is tried again after half a minute, then twice as long each time up to an hour, for about a day', () => {
  const delays = Array.from({ length: 28 }, (_, index) => retryDelaySeconds(index + 1));
  expect(delays.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
  expect([delays[26], delays[27], retryDelaySeconds(29)]).toEqual([3600, null, null]);
});
