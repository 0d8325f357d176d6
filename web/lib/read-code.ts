import { RESET_CODE_DIGITS } from '#contract/limits.ts';

const WHOLE_CODE = new RegExp(`(?<!\\d)\\d{${RESET_CODE_DIGITS}}(?!\\d)`);

/**
 * Returns the code that the user typed or pasted. The text may be a whole message, a code with spaces, or the first
 * digits of a code.
 */
export function readCode(typed: string): string {
  return WHOLE_CODE.exec(typed)?.[0] ?? typed.replace(/\D/g, '').slice(0, RESET_CODE_DIGITS);
}
