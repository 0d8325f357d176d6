import * as z from 'zod/mini';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { RowOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { Allowance } from '#worker/limits/allowance.ts';
import type { Turns } from '#worker/limits/turns.ts';

export const CODE_LIFETIME_MS = RESET_CODE_LIFETIME_SECONDS * 1000;
/** How long after its issue a code that was verified in time may still set a password. */
export const RESET_LIFETIME_MS = 10 * 60 * 1000;
/** Of strangers together at one code, and of each requester. */
export const MAX_WRONG_TRIES = 20;
export const MAX_WRONG_TRIES_A_REQUESTER = 5;

/**
 * Who asks for a number's code or guesses at it: a device that the number's account knows, or a stranger at an address.
 * What strangers use up is never the device's.
 */
export type Requester = {
  isStranger: boolean;
  /** What their requests for codes are counted by; each asks for the one before it. */
  requests: readonly [Allowance, ...Allowance[]];
  /** What their wrong guesses are counted by, each of which must leave a turn. */
  limits: readonly Turns[];
  /** Their wrong guesses at one code; the code's request belongs behind the key. Never lifted, as other limits are. */
  tries: Allowance;
};

/** What the answer to a guess depends on besides the guess. */
export const codeStateRow = () => z.object({ used_at: z.nullable(z.number()), email_key: z.nullable(z.string()) });
type CodeState = RowOf<typeof codeStateRow>;
export type Judgement = {
  /** Null when the guess was not judged. */
  isRight: boolean | null;
  state: CodeState | null;
};

/**
 * Passes a right guess. A code that has expired, by time or by wrong tries, is `code_expired`, which tells the reader to ask for
 * another; one that was used, or a number that never asked, is simply wrong.
 * @throws AppError invalid_code or code_expired.
 */
export function assertRight({ isRight, state }: Judgement): void {
  if (isRight === true) return;
  const isOver = isRight === null && state !== null && state.used_at === null;
  throw new AppError(isOver ? 'code_expired' : 'invalid_code');
}
