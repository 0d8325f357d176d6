import * as z from 'zod/mini';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { RowOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { Counter } from '#worker/limits/allowance.ts';

export const CODE_LIFETIME_MS = RESET_CODE_LIFETIME_SECONDS * 1000;
/** How long after its issue a code that was verified in time may still set a password. */
export const RESET_LIFETIME_MS = 10 * 60 * 1000;
export const MAX_WRONG_TRIES = 5;

/** What the answer to a guess depends on besides the guess. */
export const codeStateRow = () => z.object({ used_at: z.nullable(z.number()), email_key: z.nullable(z.string()) });
type CodeState = RowOf<typeof codeStateRow>;
export type Judgement = {
  /** Null when the guess was not judged. */
  isRight: boolean | null;
  state: CodeState | null;
  /** The guesses judged so far for this number, if any. */
  counted: Counter | undefined;
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
