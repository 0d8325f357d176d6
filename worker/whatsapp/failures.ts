import { QUEUE_DELAY_MAX_SECONDS } from '#contract/jobs.ts';

/**
 * What to do about a refused message: retry later, try the template in English, give up the message, or stop sending
 * all messages and raise an alarm, because Meta would refuse the other messages too, or sending more would do harm.
 */
export type Verdict = 'retry' | 'other_language' | 'give_up' | 'stop';

/** Why a message was not sent. `code` is Meta's; null if there is none, as after a failed connection. */
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
  130429, // throughput
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
  131042, // payment
  131048, // the spam rate limit: sending on lowers the quality rating further
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
  131026, // not on WhatsApp, or cannot receive
  131047, // no template outside the 24 hours
  131049, // Meta chose not to deliver
  132000, // the count of parameters is wrong
  132005, // the text is too long
  132007, // the text's format is wrong
  132012, // a parameter's format is wrong
]);

/**
 * Decides only by Meta's code, because one error can come with different HTTP statuses. Without a code, or with an
 * unknown one, the message is retried until its attempts or its time are used up.
 */
export function judgeFailure({ code }: SendFailure): Verdict {
  if (code === null || RETRY.has(code)) return 'retry';
  if (code === TEMPLATE_MISSING) return 'other_language';
  if (STOP.has(code) || (code >= 200 && code <= 299)) return 'stop';
  return GIVE_UP.has(code) ? 'give_up' : 'retry';
}

/** Whether only this template is unusable: messages with other templates can still be sent. */
export function isOfTemplate({ code }: SendFailure): boolean {
  return code !== null && TEMPLATE_UNUSABLE.has(code);
}

/** The minimum time before a retry can succeed. */
export function leastDelaySeconds({ code }: SendFailure): number {
  return code === PAIR_RATE_LIMIT ? PAIR_RATE_SECONDS : 1;
}

export const BASE_DELAY_SECONDS = 2;
export const MAX_DELAY_SECONDS = 60;
/** Below the queue's max_retries (wrangler.toml), so that we record why a message was given up. */
export const MAX_ATTEMPTS = 9;
/** The limit for notices. Unlike a code, a notice is still useful after Meta has been unreachable for an hour. */
export const MAX_NOTICE_ATTEMPTS = 50;
/** A code that expires sooner than this is useless: a person still has to read and type it. */
export const LEAST_USEFUL_SECONDS = 20;
/** How long sending pauses after a `stop`. Then one message is sent to test whether sending works again. */
export const PAUSE_SECONDS = 60;
const PAUSE_SPREAD_SECONDS = 5;
export const LONGEST_DELAY_SECONDS = QUEUE_DELAY_MAX_SECONDS - PAUSE_SPREAD_SECONDS;

type RetryRequest = {
  /** The count of deliveries by the queue, including this one. */
  attempt: number;
  remainingSeconds: number;
  leastSeconds: number;
  /** From 0 to 1, to spread the retries of messages that failed together. */
  random: number;
  /** The default is the limit for codes. */
  maxAttempts?: number;
};

/**
 * Returns the seconds until the next attempt: doubling from 2 up to 60, minus up to a half at random, and never so long
 * that the message becomes useless. Null to give up.
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
 * Returns the seconds until a pause ends, with some jitter. Null if the message would then be useless, or has been
 * tried often enough.
 */
export function pauseDelaySeconds(pauseSeconds: number, request: Omit<RetryRequest, 'leastSeconds'>): number | null {
  const delay = Math.ceil(pauseSeconds + PAUSE_SPREAD_SECONDS * request.random);
  const longest = request.remainingSeconds - LEAST_USEFUL_SECONDS;
  return request.attempt >= (request.maxAttempts ?? MAX_ATTEMPTS) || delay > longest ? null : delay;
}
