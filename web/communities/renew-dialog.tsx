import { useTranslation } from 'react-i18next';
import { renewAccessCode } from './api.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useStep } from './use-step.ts';

type Props = {
  communityId: string;
  /** Who was removed a moment ago, and knows the code; null where its admin came here by themselves. */
  removed?: string | null;
  onClose: () => void;
};

/** Says what a new access code ends before it is made. */
export function RenewDialog({ communityId, removed = null, onClose }: Props) {
  const { t } = useTranslation('community');
  const renewing = useStep({ take: () => renewAccessCode(communityId), doneText: t('renewed'), onDone: onClose });
  return (
    <ConfirmDialog
      title={t('renewTitle')}
      action={t('renew')}
      look="primary"
      step={renewing}
      onConfirm={() => renewing.mutate()}
      onClose={onClose}
    >
      {removed !== null && <p className="wrap-anywhere">{t('renewAfterRemoval', { name: removed })}</p>}
      <p>{t('renewText')}</p>
    </ConfirmDialog>
  );
}
