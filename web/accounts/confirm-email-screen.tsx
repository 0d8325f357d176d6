import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { withReference } from '#web/lib/api-client.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { paths } from '#web/lib/paths.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { confirmEmail, keepLink, readLink } from './confirm-email.ts';

/** /confirm-email#TOKEN: where the link of our e-mail leads. To open it is to prove the e-mail. */
export function ConfirmEmailScreen() {
  const { t } = useTranslation(['accounts', 'settings']);
  const token = useTokenOfAddress();
  return (
    <div className="mx-auto grid w-full max-w-md gap-5">
      <h1>{t('confirmEmailTitle')}</h1>
      {token === null ? <NewLink reason={t('settings:linkMissing')} /> : <Confirmation token={token} />}
    </div>
  );
}

/** Takes the token out of the address at once; what is loaded again afterwards goes on with the same one. */
function useTokenOfAddress(): string | null {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [kept, setKept] = useState(() => readLink()?.token ?? null);
  const given = hash.slice(1);
  if (given !== '' && given !== kept) setKept(given);
  useEffect(() => {
    if (given === '') return;
    if (readLink()?.token !== given) keepLink({ token: given, isConfirmed: false });
    void navigate(pathname, { replace: true });
  }, [given, pathname, navigate]);
  return given || kept;
}

function Confirmation({ token }: { token: string }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const query = useQuery({
    queryKey: queryKeys.emailConfirmation(token),
    queryFn: async () => {
      const outcome = await confirmEmail(token);
      void client.invalidateQueries({ queryKey: queryKeys.me });
      return outcome;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = useFailure(query);
  const isSignedIn = useSession() !== null;
  if (failure) {
    return <LoadFailure title={withReference(t('confirmFailed'), failure)} query={query} />;
  }
  if (query.data === 'over') return isSignedIn ? <OverForReader /> : <NewLink reason={t('linkOver')} />;
  return (
    <div className="card grid gap-4">
      <Banner tone="success">{query.data && t('emailConfirmed')}</Banner>
      {query.data ? (
        <ButtonLink to={isSignedIn ? paths.account : paths.home}>{t('goOn')}</ButtonLink>
      ) : (
        <p>{t('confirmingEmail')}</p>
      )}
    </div>
  );
}

/** Perhaps it was this very link that proved it, in another tab or at a press whose answer was lost. */
function OverForReader() {
  const { t } = useTranslation('settings');
  const { data: me, isPending } = useQuery({ ...meQuery, refetchOnMount: 'always' });
  if (isPending) return <p role="status">{t('confirmingEmail')}</p>;
  return (
    <div className="card grid gap-4">
      <Banner tone="notice">
        <p className="wrap-anywhere">
          {me?.is_email_proven ? t('linkOverProven', { email: me.email }) : t('linkOver')}
        </p>
      </Banner>
      <ButtonLink to={paths.account}>{t(me?.is_email_proven ? 'goOn' : 'newLink')}</ButtonLink>
    </div>
  );
}

/** @param reason why this one does not do. */
function NewLink({ reason }: { reason: string }) {
  const { t } = useTranslation('settings');
  const isSignedIn = useSession() !== null;
  return (
    <div className="card grid gap-4">
      <Banner tone="notice">{reason}</Banner>
      {isSignedIn ? (
        <ButtonLink to={paths.account}>{t('newLink')}</ButtonLink>
      ) : (
        <ButtonLink to={paths.login} state={{ from: paths.account }}>
          {t('newLinkLogin')}
        </ButtonLink>
      )}
    </div>
  );
}
