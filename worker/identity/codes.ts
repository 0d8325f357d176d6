import { createHmac } from 'node:crypto';
import { HANDOVER_CODE_DIGITS, RESET_CODE_DIGITS } from '#contract/limits.ts';
import { fingerprint } from './digests.ts';

/**
 * Derives a numeric code from a random id (122 bits from the platform's CSPRNG) and the Worker's secret. The code is
 * not stored, but derived again to be shown or sent. The database, the queue and the dead letters contain only the id,
 * which is useless without the secret.
 * @param purpose separates codes for different uses.
 */
export function deriveDigits(secret: string, purpose: string, id: string, digits: number): string {
  const codes = 10 ** digits;
  // The largest multiple of `codes` below 2^32. If larger random numbers were accepted, some codes would be likelier.
  const fairDraws = Math.floor(2 ** 32 / codes) * codes;
  for (let round = 0; ; round++) {
    const draws = createHmac('sha256', secret).update(`${purpose}\0${id}\0${round}`).digest();
    for (let offset = 0; offset < draws.length; offset += 4) {
      const draw = draws.readUInt32BE(offset);
      if (draw < fairDraws) return String(draw % codes).padStart(digits, '0');
    }
  }
}

/** Without letters and digits that look alike: no I, L, O, 0 or 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Uses a CSPRNG to make a random code that people read and type. */
export function randomCode(length: number): string {
  let code = '';
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is a multiple of 31, the number of characters in the alphabet. If bytes from 248 to 255 were accepted, the
      // first characters would be likelier.
      if (byte < 248 && code.length < length) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}

/** Derives the code of a password reset. The code is never stored, queued or logged. */
export function deriveCode(secret: string, requestId: string): string {
  return deriveDigits(secret, 'reset-code', requestId, RESET_CODE_DIGITS);
}

/**
 * Returns the digest that guesses are compared with. It includes the phone number, so that equal codes of two people
 * have different digests.
 */
export function digestResetCode(secret: string, number: string, code: string): string {
  return fingerprint(secret, 'reset-code-digest', `${number}\0${code}`);
}

/** Derives the hand-over code, which the claimant tells the finder. The code is not stored. */
export function deriveHandoverCode(secret: string, claimId: string): string {
  return deriveDigits(secret, 'handover-code', claimId, HANDOVER_CODE_DIGITS);
}
