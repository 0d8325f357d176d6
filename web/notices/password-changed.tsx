import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoreWaiting } from './more-waiting.tsx';

/** Somebody has set a new password with a code from WhatsApp: the reader, or whoever has their phone or SIM card. */
export function PasswordChangedModal({ waiting, onClose }: { waiting: number; onClose: () => void }) {
  const { t } = useTranslation(['notices', 'common']);
  return (
    <Dialog title={t('passwordTitle')} onClose={onClose}>
      <p>{t('passwordText')}</p>
      <div className="grid grid-cols-2 gap-2">
        <ButtonLink look="secondary" to={paths.forgotPassword} onClick={onClose}>
          {t('passwordNotMe')}
        </ButtonLink>
        <Button onClick={onClose}>{t('passwordWasMe')}</Button>
      </div>
      <MoreWaiting count={waiting} onNext={onClose} />
    </Dialog>
  );
}
