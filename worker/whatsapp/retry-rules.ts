import { QUEUE_DELAY_MAX_SECONDS } from '#contract/notice-jobs.ts';

export const BASE_DELAY_SECONDS = 2;
export const MAX_DELAY_SECONDS = 60;
/** Below the queue's max_retries (wrangler.toml), so that we record why a message was given up. */
export const MAX_ATTEMPTS = 9;
/** For notices, which unlike codes are still useful after Meta has been unreachable for most of an hour. */
export const MAX_NOTICE_ATTEMPTS = 50;
/** With less time left than this a code is useless: it still has to be read and typed. */
export const LEAST_USEFUL_SECONDS = 20;
/** How long sending pauses after a `stop`; then one message finds out whether the reason is gone. */
export const PAUSE_SECONDS = 60;
const PAUSE_SPREAD_SECONDS = 5;
export const LONGEST_DELAY_SECONDS = QUEUE_DELAY_MAX_SECONDS - PAUSE_SPREAD_SECONDS;

type RetryRequest = {
  /** Including this delivery. */
  attempt: number;
  remainingSeconds: number;
  leastSeconds: number;
  /** From 0 to 1, to spread the retries of messages that failed together. */
  random: number;
  /** Defaults to that of a code. */
  maxAttempts?: number;
};

/**
 * Seconds to wait before the next attempt: doubling from 2 up to 60, minus up to a half at random, and never so long that
 * the message becomes useless. Null to give up.
 */
export function retryDelaySeconds(request: RetryRequest): number | null {
  const { attempt, remainingSeconds, leastSeconds, random, maxAttempts = MAX_ATTEMPTS } = request;
  if (attempt >= maxAttempts) return null;
  const longest = Math.floor(remainingSeconds) - LEAST_USEFUL_SECONDS;
  if (longest < leastSeconds) return null;
  const delay = Math.min(BASE_DELAY_SECONDS * 2 ** (attempt - 1), MAX_DELAY_SECONDS);
  const jittered = Math.ceil(delay * (0.5 + random / 2));
  return Math.min(Math.max(jittered, leastSeconds), longest);
}

/**
 * Seconds until a pause ends, plus some jitter. Null if the message would be useless by then, or has been tried often
 * enough.
 */
export function pauseDelaySeconds(pauseSeconds: number, request: Omit<RetryRequest, 'leastSeconds'>): number | null {
  const delay = Math.ceil(pauseSeconds + PAUSE_SPREAD_SECONDS * request.random);
  const longest = request.remainingSeconds - LEAST_USEFUL_SECONDS;
  return request.attempt >= (request.maxAttempts ?? MAX_ATTEMPTS) || delay > longest ? null : delay;
}
