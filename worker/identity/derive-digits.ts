import { createHmac } from 'node:crypto';

/**
 * Derives a numeric code from a random id (122 bits from the platform's CSPRNG) and the Worker's secret. The code is
 * stored nowhere: it is derived again when it has to be shown or sent. The database, the queue and the dead letters hold
 * only the id, which is useless without the secret.
 * @param purpose separates codes for different uses.
 */
export function deriveDigits(secret: string, purpose: string, id: string, digits: number): string {
  const codes = 10 ** digits;
  // The largest multiple of `codes` below 2^32: taking draws above it would make some codes more likely than others.
  const fairDraws = Math.floor(2 ** 32 / codes) * codes;
  for (let round = 0; ; round++) {
    const draws = createHmac('sha256', secret).update(`${purpose}\0${id}\0${round}`).digest();
    for (let offset = 0; offset < draws.length; offset += 4) {
      const draw = draws.readUInt32BE(offset);
      if (draw < fairDraws) return String(draw % codes).padStart(digits, '0');
    }
  }
}
