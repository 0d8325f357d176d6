import { createHmac } from 'node:crypto';

/**
 * A code of digits: a random id (122 bits of the platform's CSPRNG) under the Worker's secret. So whoever has the secret
 * can make the code again when it is to be shown or sent, and it is kept nowhere; what holds the id, such as the database,
 * the queue and the dead letters, holds nothing without the secret.
 * @param purpose keeps codes of different uses apart.
 */
export function deriveDigits(secret: string, purpose: string, id: string, digits: number): string {
  const codes = 10 ** digits;
  // The largest multiple of it in 32 bits: a draw above it would make some codes likelier than others.
  const fairDraws = Math.floor(2 ** 32 / codes) * codes;
  for (let round = 0; ; round++) {
    const draws = createHmac('sha256', secret).update(`${purpose}\0${id}\0${round}`).digest();
    for (let offset = 0; offset < draws.length; offset += 4) {
      const draw = draws.readUInt32BE(offset);
      if (draw < fairDraws) return String(draw % codes).padStart(digits, '0');
    }
  }
}
