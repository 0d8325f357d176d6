import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { passkeysQuery, showPasskey } from '#web/admin/api.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { FirstPasskeyForm, usePasskey } from './passkey-form.tsx';
import { endStepUp, useIsStepUpAsked } from './step-up.ts';

/** Asks the admin to use a passkey when a change requires it. An admin who has no passkey adds the first one. */
export function StepUpDialog() {
  const { t } = useTranslation('admin');
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: pending changes end when the user leaves the page
  useEffect(() => () => endStepUp(false), [key]);
  if (!useIsStepUpAsked()) return null;
  return (
    <Dialog title={t('stepUpTitle')} onClose={() => endStepUp(false)}>
      {browserSupportsWebAuthn() ? <StepUp /> : <Banner tone="error">{t('passkeyUnsupported')}</Banner>}
    </Dialog>
  );
}

function StepUp() {
  const { t } = useTranslation('admin');
  const passkeys = useQuery({ ...passkeysQuery, staleTime: 0 });
  const first = (
    <>
      <p className="text-muted">{t('firstPasskeyText')}</p>
      <FirstPasskeyForm onDone={() => endStepUp(true)} />
    </>
  );
  return (
    <AdminQueryState query={passkeys} empty={passkeys.data?.length === 0 && first}>
      {() => <ShowPasskey />}
    </AdminQueryState>
  );
}

function ShowPasskey() {
  const { t } = useTranslation('admin');
  const { problem, isBusy, act } = usePasskey(showPasskey, () => endStepUp(true));
  return (
    <>
      <p className="text-muted">{t('stepUpText')}</p>
      {problem && <Banner tone="error">{problem}</Banner>}
      <Button isBusy={isBusy} onClick={() => act()}>
        {t('showPasskey')}
      </Button>
    </>
  );
}
