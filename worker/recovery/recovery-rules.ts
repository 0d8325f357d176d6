import * as z from 'zod/mini';
import { MINUTE_MS } from '#contract/durations.ts';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { RowOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { Turns } from '#worker/limits/turns.ts';

export const CODE_LIFETIME_MS = RESET_CODE_LIFETIME_SECONDS * 1000;
/** How long after its issue a code that was verified in time can still be used to set a password. */
export const RESET_LIFETIME_MS = 10 * MINUTE_MS;
/** Per code, by all strangers together. */
export const MAX_WRONG_TRIES = 20;

/**
 * Who requests a number's code or guesses at it: a device that the number's account knows, or a stranger at an address.
 * Strangers never use up a device's limits.
 */
export type Requester = {
  isStranger: boolean;
  /** Limits on their requests for codes. */
  requests: Turns;
  /** Limits on their wrong guesses. */
  guesses: Turns;
  /** Limits on their wrong guesses at one code. The keys need the code's request id appended. */
  tries: Turns;
};

/** The code's state, on which the answer to a guess depends. */
export const codeStateRow = () => z.object({ used_at: z.nullable(z.number()), email_key: z.nullable(z.string()) });
type CodeState = RowOf<typeof codeStateRow>;
export type Judgement = {
  /** Null when the guess was not checked. */
  isRight: boolean | null;
  state: CodeState | null;
};

/**
 * Passes a right guess. A code that has expired, by time or by wrong tries, is `code_expired`, which tells people to request
 * another one. If the code was used, or none was requested, the guess is simply wrong.
 * @throws AppError invalid_code or code_expired.
 */
export function assertRight({ isRight, state }: Judgement): void {
  if (isRight === true) return;
  const hasExpired = isRight === null && state !== null && state.used_at === null;
  throw new AppError(hasExpired ? 'code_expired' : 'invalid_code');
}
