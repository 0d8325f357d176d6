import { RESET_CODE_DIGITS } from '#contract/limits.ts';
import { deriveDigits } from '#worker/identity/derive-digits.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

/** The code of a request. It is never stored, queued or logged. */
export function deriveCode(secret: string, requestId: string): string {
  return deriveDigits(secret, 'reset-code', requestId, RESET_CODE_DIGITS);
}

/** The digest that a guess is compared with. Bound to the number, so that equal codes of two people differ. */
export function digestResetCode(secret: string, number: string, code: string): string {
  return fingerprint(secret, 'reset-code-digest', `${number}\0${code}`);
}
