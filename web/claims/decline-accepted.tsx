import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { EndingDialog } from './ending-dialog.tsx';

/** The finder's way back from "it is theirs". */
export function DeclineAccepted({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const words = {
    button: t('declineAccepted'),
    title: t('declineAcceptedTitle'),
    text: t('declineAcceptedText'),
    confirm: t('decline'),
  };
  return <EndingDialog name="decline" claim={claim} words={words} onStep={onStep} />;
}
