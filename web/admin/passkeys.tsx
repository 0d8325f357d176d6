import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '#contract/passkeys.ts';
import { formatDate } from '#web/lib/format.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { FirstPasskeyForm } from './first-passkey-form.tsx';
import { ListFailure, ListSkeleton } from './list-states.tsx';
import { addPasskey, passkeysQuery } from './passkey-api.ts';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';
import { usePasskey } from './use-passkey.ts';

/** The admin's own passkeys: to add, and to remove. */
export function Passkeys() {
  const { t } = useTranslation('admin');
  const passkeys = useQuery(passkeysQuery);
  const failure = useFailure(passkeys);
  return (
    <section aria-label={t('parts.passkeys')} className="grid gap-4">
      <p className="text-muted">{t('passkeysText')}</p>
      {!browserSupportsWebAuthn() && <Banner tone="error">{t('passkeyUnsupported')}</Banner>}
      {failure && <ListFailure error={failure} list={passkeys} />}
      {passkeys.isPending && !failure && <ListSkeleton />}
      {passkeys.data && !failure && <PasskeyList passkeys={passkeys.data} />}
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
