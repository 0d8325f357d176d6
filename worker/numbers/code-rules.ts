import type { NumberCodeKind } from '#contract/whatsapp.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

/** The digest that a guess is compared with. Bound to its kind and subject, so that a code proves nothing else. */
export function digestCode(
  secret: string,
  { kind, subject }: { kind: NumberCodeKind; subject: string },
  code: string,
): string {
  return fingerprint(secret, `${kind}-digest`, `${subject}\0${code}`);
}
