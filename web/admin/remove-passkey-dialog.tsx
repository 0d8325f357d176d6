import { useTranslation } from 'react-i18next';
import type { Passkey } from '#contract/passkeys.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { removePasskey } from './passkey-api.ts';
import { usePasskey } from './use-passkey.ts';

export function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { problem, isBusy, act } = usePasskey(
    () => removePasskey(passkey.id),
    () => {
      showToast.success(t('passkeyRemovedToast'));
      onClose();
    },
  );
  return (
    <Dialog title={t('removePasskeyTitle')} onClose={onClose}>
      <p className="text-muted">{t('removePasskeyText')}</p>
      {problem && <Banner tone="error">{problem}</Banner>}
      <ConfirmButtons label={t('removePasskey')} isBusy={isBusy} onCancel={onClose} onConfirm={() => act()} />
    </Dialog>
  );
}
