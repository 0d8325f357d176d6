import { HANDOVER_CODE_DIGITS } from '#contract/limits.ts';
import { deriveDigits } from '#worker/identity/derive-digits.ts';

/** What the claimant shows and the finder types; it is stored nowhere. */
export function deriveHandoverCode(secret: string, claimId: string): string {
  return deriveDigits(secret, 'handover-code', claimId, HANDOVER_CODE_DIGITS);
}
