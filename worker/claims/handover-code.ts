import { HANDOVER_CODE_DIGITS } from '#contract/limits.ts';
import { deriveDigits } from '#worker/identity/derive-digits.ts';

/** The code that the claimant tells the finder. It is stored nowhere. */
export function deriveHandoverCode(secret: string, claimId: string): string {
  return deriveDigits(secret, 'handover-code', claimId, HANDOVER_CODE_DIGITS);
}
