const BASE_DELAY_SECONDS = 2;
export const MAX_DELAY_SECONDS = 60;
/** Below max_retries of the queue (wrangler.toml), so that it is we who say why a message was given up. */
export const MAX_ATTEMPTS = 9;
/** Of a notice, whose queue is patient: unlike a code it is still news after most of an hour without Meta. */
export const MAX_NOTICE_ATTEMPTS = 50;
/** A code that arrives with less time left than this helps nobody: it is still to be read and typed. */
export const LEAST_USEFUL_SECONDS = 20;
/** How long nothing is sent after Meta refused us as such; then one message finds out whether that is over. */
export const PAUSE_SECONDS = 60;
const PAUSE_SPREAD_SECONDS = 5;
/** The queue keeps a message back for twelve hours at most. */
export const LONGEST_DELAY_SECONDS = 12 * 60 * 60 - PAUSE_SPREAD_SECONDS;

export type RetryRequest = {
  /** This delivery included. */
  attempt: number;
  remainingSeconds: number;
  leastSeconds: number;
  /** From 0 to 1; spreads the retries of messages that failed together. */
  random: number;
  /** Those of a code unless given. */
  maxAttempts?: number;
};

/**
 * Seconds to wait before the next attempt: doubling from 2 up to 60, less up to a half of it at random, and never so
 * long that the message would be of no use any more. Null when it is to be given up.
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
 * Seconds until a pause is over, and some more, so that not all come back at once. Null when the message would be of
 * no use then, or has been tried often enough.
 */
export function pauseDelaySeconds(pauseSeconds: number, request: Omit<RetryRequest, 'leastSeconds'>): number | null {
  const delay = Math.ceil(pauseSeconds + PAUSE_SPREAD_SECONDS * request.random);
  const longest = request.remainingSeconds - LEAST_USEFUL_SECONDS;
  return request.attempt >= (request.maxAttempts ?? MAX_ATTEMPTS) || delay > longest ? null : delay;
}
