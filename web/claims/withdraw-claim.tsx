import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { EndingDialog } from './ending-dialog.tsx';

/** The claimant's way out, until the thing is handed over. */
export function WithdrawClaim({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const words = {
    button: t('withdraw'),
    title: t('withdrawTitle'),
    text: t('withdrawText'),
    confirm: t('withdrawConfirm'),
  };
  return <EndingDialog name="withdraw" claim={claim} words={words} onStep={onStep} />;
}
