import { useState } from 'react';
import { useTranslation } from '#web/lib/use-translation.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { SignOutEverywhereDialog } from './sign-out-everywhere-dialog.tsx';

/** What keeps others out of the account. */
export function OwnPassword() {
  const { t } = useTranslation('settings');
  const [open, setOpen] = useState<'password' | 'everywhere' | null>(null);
  const close = () => setOpen(null);
  return (
    <section className="grid gap-3">
      <h2>{t('passwordTitle')}</h2>
      <div className="card flex flex-wrap gap-3">
        <Button look="secondary" icon="shield" onClick={() => setOpen('password')}>
          {t('changePassword')}
        </Button>
        <Button look="secondary" onClick={() => setOpen('everywhere')}>
          {t('signOutEverywhere')}
        </Button>
      </div>
      {open === 'password' && <PasswordDialog onClose={close} />}
      {open === 'everywhere' && <SignOutEverywhereDialog onClose={close} />}
    </section>
  );
}
