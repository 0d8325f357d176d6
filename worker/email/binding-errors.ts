/**
 * What to do about an e-mail that the platform refused: retry, retry and raise an alarm, give up, or stop writing to the
 * address because it has bounced or reported us as spam.
 */
export type Verdict = 'retry' | 'alarm' | 'give_up' | 'address_refused';

const VERDICTS: Readonly<Record<string, Verdict>> = {
  E_RECIPIENT_SUPPRESSED: 'address_refused',
  E_SENDER_NOT_VERIFIED: 'alarm',
  E_SENDER_DOMAIN_NOT_AVAILABLE: 'alarm',
  E_DAILY_LIMIT_EXCEEDED: 'alarm',
  E_RECIPIENT_NOT_ALLOWED: 'give_up',
  E_VALIDATION_ERROR: 'give_up',
  E_FIELD_MISSING: 'give_up',
  E_CONTENT_TOO_LARGE: 'give_up',
  E_TOO_MANY_RECIPIENTS: 'give_up',
};

/** Our own headers are invalid, which a retry does not change. */
const WRONG_HEADER = /^E_HEADERS?_/;

/** @param code the platform's. Without one, or with an unknown one, the e-mail is retried until its attempts run out. */
export function judgeFailure(code: string | null): Verdict {
  if (code === null) return 'retry';
  return VERDICTS[code] ?? (WRONG_HEADER.test(code) ? 'give_up' : 'retry');
}

/** Only the code: the message may contain the address. */
export function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : null;
}

export const BASE_DELAY_SECONDS = 30;
export const MAX_DELAY_SECONDS = 60 * 60;
/** They span about a day. */
export const MAX_ATTEMPTS = 28;

/** Seconds until the next attempt, doubling from half a minute up to an hour; null after the last one. */
export function retryDelaySeconds(attempt: number): number | null {
  return attempt >= MAX_ATTEMPTS ? null : Math.min(BASE_DELAY_SECONDS * 2 ** (attempt - 1), MAX_DELAY_SECONDS);
}
