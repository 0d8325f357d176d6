import { createHmac } from 'node:crypto';
import { RESET_CODE_DIGITS } from '#contract/limits.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

const CODES = 10 ** RESET_CODE_DIGITS;
/** The largest multiple of CODES in 32 bits: a draw above it would make some codes likelier than others. */
const FAIR_DRAWS = Math.floor(2 ** 32 / CODES) * CODES;

/**
 * The code of a request: its random id (122 bits of the platform's CSPRNG) under the Worker's secret.
 * So whoever has the secret can make the code again when it is to be sent, and it is stored, queued and logged
 * nowhere; the database, the queue and the dead letters hold the id, which is nothing without the secret.
 */
export function deriveCode(secret: string, requestId: string): string {
  for (let round = 0; ; round++) {
    const draws = createHmac('sha256', secret).update(`reset-code\0${requestId}\0${round}`).digest();
    for (let offset = 0; offset < draws.length; offset += 4) {
      const draw = draws.readUInt32BE(offset);
      if (draw < FAIR_DRAWS) return String(draw % CODES).padStart(RESET_CODE_DIGITS, '0');
    }
  }
}

/** What the database compares a guess with. Bound to the number, so that equal codes of two people look different. */
export function digestResetCode(secret: string, number: string, code: string): string {
  return fingerprint(secret, 'reset-code-digest', `${number}\0${code}`);
}
