import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useFailure } from '#web/lib/use-failure.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FirstPasskeyForm } from './first-passkey-form.tsx';
import { ListFailure, ListSkeleton } from './list-states.tsx';
import { passkeysQuery, showPasskey } from './passkey-api.ts';
import { endStepUp, useIsStepUpAsked } from './step-up.ts';
import { usePasskey } from './use-passkey.ts';

/** Asks for the passkey once something needs it, for the first one too. */
export function StepUpDialog() {
  const { t } = useTranslation('admin');
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waits goes with its page: nobody is to make it from another, or in another's name
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
  const failure = useFailure(passkeys);
  if (failure) return <ListFailure error={failure} list={passkeys} />;
  if (!passkeys.data) return <ListSkeleton />;
  if (passkeys.data.length > 0) return <ShowPasskey />;
  return (
    <>
      <p className="text-muted">{t('firstPasskeyText')}</p>
      <FirstPasskeyForm onDone={() => endStepUp(true)} />
    </>
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
