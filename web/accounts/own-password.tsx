import { useTranslation } from 'react-i18next';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { SignOutEverywhereDialog } from './sign-out-everywhere-dialog.tsx';

/** What keeps others out of the account. */
export function OwnPassword() {
  const { t } = useTranslation('settings');
  const change = useDialogAddress('dialog', 'password');
  const everywhere = useDialogAddress('dialog', 'everywhere');
  return (
    <section className="grid gap-3">
      <h2>{t('passwordTitle')}</h2>
      <div className="card flex flex-wrap gap-3">
        <Button look="secondary" icon="shield" onClick={change.open}>
          {t('changePassword')}
        </Button>
        <Button look="secondary" onClick={everywhere.open}>
          {t('signOutEverywhere')}
        </Button>
      </div>
      {change.isOpen && <PasswordDialog onClose={change.close} />}
      {everywhere.isOpen && <SignOutEverywhereDialog onClose={everywhere.close} />}
    </section>
  );
}
