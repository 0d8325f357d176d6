import type { NumberCodeKind } from '#contract/whatsapp.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

/** What the database compares a guess with. Bound to what it is to prove, so that a code is good for nothing else. */
export function digestCode(
  secret: string,
  { kind, subject }: { kind: NumberCodeKind; subject: string },
  code: string,
): string {
  return fingerprint(secret, `${kind}-digest`, `${subject}\0${code}`);
}
