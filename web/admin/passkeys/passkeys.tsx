import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '#contract/passkeys.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { addPasskey, passkeysQuery, removePasskey } from '#web/admin/api.ts';
import { formatDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { FirstPasskeyForm, usePasskey } from './passkey-form.tsx';

/** The admin's own passkeys, with buttons to add and remove them. */
export function Passkeys() {
  const { t } = useTranslation('admin');
  const passkeys = useQuery(passkeysQuery);
  return (
    <section aria-label={t('parts.passkeys')} className="grid gap-4">
      <p className="text-muted">{t('passkeysText')}</p>
      {!browserSupportsWebAuthn() && <Banner tone="error">{t('passkeyUnsupported')}</Banner>}
      <AdminQueryState query={passkeys}>{(known) => <PasskeyList passkeys={known} />}</AdminQueryState>
    </section>
  );
}

function PasskeyList({ passkeys }: { passkeys: Passkey[] }) {
  const { t } = useTranslation('admin');
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const sayAdded = () => showToast.success(t('passkeyAddedToast'));
  if (passkeys.length === 0) {
    return (
      <>
        <p>{t('noPasskeys')}</p>
        <FirstPasskeyForm onDone={sayAdded} />
      </>
    );
  }
  return (
    <>
      <ul className="grid gap-3">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="card flex flex-wrap items-center justify-between gap-3">
            <div className="grid gap-1">
              <p className="font-semibold">{t('passkeyAdded', { date: formatDate(passkey.created_at) })}</p>
              <p className="text-muted text-sm">
                {passkey.last_used_at === null
                  ? t('passkeyUnused')
                  : t('passkeyUsed', { date: formatDate(passkey.last_used_at) })}
              </p>
            </div>
            <Button look="secondary" icon="close" onClick={() => setRemoving(passkey)}>
              {t('removePasskey')}
            </Button>
          </li>
        ))}
      </ul>
      <FurtherPasskey onDone={sayAdded} />
      {removing && <RemovePasskeyDialog passkey={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function FurtherPasskey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('admin');
  const { problem, isBusy, act } = usePasskey(() => addPasskey(''), onDone);
  return (
    <>
      {problem && <Banner tone="error">{problem}</Banner>}
      <Button isBusy={isBusy} onClick={() => act()}>
        {t('addPasskey')}
      </Button>
    </>
  );
}

function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
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
