import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  LEAST_USEFUL_SECONDS,
  MAX_ATTEMPTS,
  MAX_NOTICE_ATTEMPTS,
  PAUSE_SECONDS,
  pauseDelaySeconds,
  retryDelaySeconds,
} from '#worker/whatsapp/retry-rules.ts';

const request = { attempt: 1, remainingSeconds: 300, leastSeconds: 1, random: 1 };

test('delays double from two seconds up to a minute', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => retryDelaySeconds({ ...request, attempt }));
  expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
});

test('jitter takes up to a half off a delay', () => {
  expect(retryDelaySeconds({ ...request, attempt: 5, random: 0 })).toBe(16);
  expect(retryDelaySeconds({ ...request, attempt: 5, random: 0.5 })).toBe(24);
});

test('a delay leaves time to read and type the code', () => {
  expect(retryDelaySeconds({ ...request, attempt: 6, remainingSeconds: 50 })).toBe(50 - LEAST_USEFUL_SECONDS);
});

test('a message is given up when too little of its time is left', () => {
  expect(retryDelaySeconds({ ...request, remainingSeconds: LEAST_USEFUL_SECONDS + 0.9 })).toBeNull();
  expect(retryDelaySeconds({ ...request, remainingSeconds: -5 })).toBeNull();
  expect(retryDelaySeconds({ ...request, leastSeconds: 6, remainingSeconds: LEAST_USEFUL_SECONDS + 5 })).toBeNull();
});

test('a message is given up after its last attempt, before the queue would drop it', () => {
  expect(retryDelaySeconds({ ...request, attempt: MAX_ATTEMPTS - 1 })).not.toBeNull();
  expect(retryDelaySeconds({ ...request, attempt: MAX_ATTEMPTS })).toBeNull();
  const maxRetries = Number(/max_retries = (\d+)/.exec(readFileSync('wrangler.toml', 'utf8'))?.[1]);
  expect(MAX_ATTEMPTS).toBeLessThan(maxRetries + 1);
});

test('a notice is tried for longer than Meta is ever away for a while, and its queue lets it', () => {
  const notice = { remainingSeconds: 86_400, leastSeconds: 1, random: 0, maxAttempts: MAX_NOTICE_ATTEMPTS };
  const delays = Array.from({ length: MAX_NOTICE_ATTEMPTS - 1 }, (_, index) =>
    retryDelaySeconds({ ...notice, attempt: index + 1 }),
  );
  expect(delays).not.toContain(null);
  expect(delays.reduce((sum: number, delay) => sum + (delay ?? 0), 0)).toBeGreaterThan(20 * 60);
  expect(retryDelaySeconds({ ...notice, attempt: MAX_NOTICE_ATTEMPTS })).toBeNull();
  const [, queue = ''] = readFileSync('wrangler.toml', 'utf8').split('queue = "patikana-notice-whatsapp"\nmax_batch');
  expect(MAX_NOTICE_ATTEMPTS).toBeLessThan(Number(/max_retries = (\d+)/.exec(queue)?.[1]) + 1);
});

test('all the retries of one code fit into its five minutes', () => {
  let elapsed = 0;
  for (let attempt = 1; ; attempt++) {
    const delay = retryDelaySeconds({ attempt, remainingSeconds: 300 - elapsed, leastSeconds: 1, random: 1 });
    if (delay === null) break;
    elapsed += delay;
  }
  expect(elapsed).toBeLessThanOrEqual(300 - LEAST_USEFUL_SECONDS);
});

test('the least delay of a failure is kept', () => {
  expect(retryDelaySeconds({ ...request, leastSeconds: 6 })).toBe(6);
});

test('a retry leaves twenty seconds to read and type a code', () => {
  expect(retryDelaySeconds({ ...request, remainingSeconds: 21 })).toBe(1);
  expect(retryDelaySeconds({ ...request, remainingSeconds: 20 })).toBeNull();
});

test('a pause is waited out, by each a little differently, if the code is of use after it', () => {
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: 1, remainingSeconds: 300, random: 0 })).toBe(PAUSE_SECONDS);
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: 1, remainingSeconds: 300, random: 1 })).toBe(PAUSE_SECONDS + 5);
  expect(pauseDelaySeconds(60, { attempt: MAX_ATTEMPTS - 1, remainingSeconds: 80, random: 0 })).toBe(60);
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: 1, remainingSeconds: 79, random: 0 })).toBeNull();
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: MAX_ATTEMPTS, remainingSeconds: 300, random: 0 })).toBeNull();
});
