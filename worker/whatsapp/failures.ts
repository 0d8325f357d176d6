import { QUEUE_DELAY_MAX_SECONDS } from '#contract/jobs.ts';

/**
 * What to do about a message that Meta has refused. `stop` ends the sending of all messages and raises an alarm,
 * because Meta would refuse other messages too, or because sending more would do harm.
 */
export type Verdict = 'retry' | 'other_language' | 'give_up' | 'stop';

/**
 * Why a message was not sent. `code` is Meta's error code; null if Meta sent none, for example because the connection
 * failed.
 */
export type SendFailure = { code: number | null; httpStatus: number | null };

const TEMPLATE_MISSING = 132001;
const TEMPLATE_UNUSABLE = new Set([TEMPLATE_MISSING, 132015, 132016]);
const PAIR_RATE_LIMIT = 131056;
/** Meta allows about one message per six seconds to the same person. */
const PAIR_RATE_SECONDS = 6;

const RETRY = new Set([
  1, // unknown, possibly down
  2, // down or overloaded
  4, // the app's rate limit
  80007, // the account's rate limit
  130429, // the throughput limit
  131000, // something went wrong
  131016, // overloaded
  PAIR_RATE_LIMIT,
  131057, // maintenance, of about a minute
  133004, // temporarily unavailable
]);

const STOP = new Set([
  0, // the token cannot be checked
  3, // the app lacks a capability
  10, // the app lacks a permission
  190, // the token has expired
  368, // blocked for a violation of policy
  131005, // access denied
  131031, // the account is locked
  131042, // a problem with our payments to Meta
  131048, // the spam rate limit: more messages would lower our number's quality rating further
  132015, // the template is paused
  132016, // the template is disabled
  133010, // our number is not registered
]);

const GIVE_UP = new Set([
  100, // a parameter is wrong
  130472, // the person is in an experiment of Meta's
  131008, // a parameter is missing
  131009, // a parameter's value is wrong
  131021, // the recipient is the sender
  131026, // the recipient is not on WhatsApp, or cannot receive the message
  131047, // a message without a template, more than 24 hours after the person's last message to us
  131049, // Meta chose not to deliver
  132000, // the count of parameters is wrong
  132005, // the text is too long
  132007, // the text's format is wrong
  132012, // a parameter's format is wrong
]);

/**
 * Decides what to do about a refused message. Considers only Meta's error code, because the same error can have
 * different HTTP statuses. If the error code is missing or unknown, the message is retried until its attempts or its
 * time are used up.
 */
export function judgeFailure({ code }: SendFailure): Verdict {
  if (code === null || RETRY.has(code)) return 'retry';
  if (code === TEMPLATE_MISSING) return 'other_language';
  if (STOP.has(code) || (code >= 200 && code <= 299)) return 'stop';
  return GIVE_UP.has(code) ? 'give_up' : 'retry';
}

/** Whether the failure concerns only this template, so that messages with other templates can still be sent. */
export function isOfTemplate({ code }: SendFailure): boolean {
  return code !== null && TEMPLATE_UNUSABLE.has(code);
}

/** Returns how many seconds must pass before a retry can succeed. */
export function leastDelaySeconds({ code }: SendFailure): number {
  return code === PAIR_RATE_LIMIT ? PAIR_RATE_SECONDS : 1;
}

export const BASE_DELAY_SECONDS = 2;
export const MAX_DELAY_SECONDS = 60;
/**
 * How many times the Worker tries to send a message that contains no notices. This number is lower than the queue's
 * max_retries (wrangler.toml), so that the Worker records why a message was given up before the queue drops it.
 */
export const MAX_ATTEMPTS = 9;
/**
 * How many times the Worker tries to send a message with notices. A notice is still useful after Meta was unreachable
 * for an hour, but a verification or reset code has expired by then.
 */
export const MAX_NOTICE_ATTEMPTS = 50;
/**
 * A verification or reset code that expires sooner than this is useless, because a person must still read and type it.
 */
export const LEAST_USEFUL_SECONDS = 20;
/**
 * How long sending pauses after the verdict `stop`. After the pause, one message is sent to test whether sending works
 * again.
 */
export const PAUSE_SECONDS = 60;
const PAUSE_SPREAD_SECONDS = 5;
export const LONGEST_DELAY_SECONDS = QUEUE_DELAY_MAX_SECONDS - PAUSE_SPREAD_SECONDS;

type RetryRequest = {
  /** How many times the queue has delivered the message, including this time. */
  attempt: number;
  remainingSeconds: number;
  leastSeconds: number;
  /** A random number from 0 to 1, so that messages that failed together are retried at different times. */
  random: number;
  /** How many times the Worker tries to send the message; by default `MAX_ATTEMPTS`. */
  maxAttempts?: number;
};

/**
 * Returns the seconds until the next attempt: doubling from 2 up to 60, minus a random part of up to a half, but never
 * so long that the message becomes useless. Returns null if the message should be given up.
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
 * Returns the seconds until the retry of a message that must wait: `pauseSeconds` plus a few random seconds. Returns
 * null if the message would be useless by then, or if the message has no attempts left.
 */
export function pauseDelaySeconds(pauseSeconds: number, request: Omit<RetryRequest, 'leastSeconds'>): number | null {
  const delay = Math.ceil(pauseSeconds + PAUSE_SPREAD_SECONDS * request.random);
  const longest = request.remainingSeconds - LEAST_USEFUL_SECONDS;
  return request.attempt >= (request.maxAttempts ?? MAX_ATTEMPTS) || delay > longest ? null : delay;
}
