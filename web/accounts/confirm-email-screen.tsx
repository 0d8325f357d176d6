import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { ApiError, api, withReference } from '#web/api/client.ts';
import { meQuery } from '#web/api/me.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { LoadFailure, useFailure } from '#web/ui/query-state.tsx';

/** /confirm-email#TOKEN: opened from the link in our e-mail. Opening the link proves the e-mail address. */
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

/** Returns the link's token, and removes it from the URL at once. After a reload, reads it from the tab's storage. */
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

/**
 * Shown to a signed-in user who opens a used or expired link. Their e-mail address may already be proven: in another
 * tab, or by a request whose response was lost.
 */
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

/**
 * Shows a button that leads to the account screen, where the user can request a new link. A visitor signs in first.
 * @param reason why the opened link does not work.
 */
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

/**
 * The key of the token in the tab's storage. The token does not stay in the URL, because other people could see the
 * token there, and the browser's history would store it.
 */
const KEY = 'emailLink';

type KeptLink = { token: string; isConfirmed: boolean };

/** The result of a link: the e-mail address is proven, or the link no longer works. */
type LinkOutcome = 'confirmed' | 'over';

/** Reads the last link that was opened in this tab. */
function readLink(): KeptLink | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptLink | null;
  } catch {
    return null;
  }
}

function keepLink(link: KeptLink): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(link));
  } catch {
    // The tab's storage is forbidden: after a reload the user must request a new link.
  }
}

/** Confirms the e-mail address. After a reload, sends no request for a link that already succeeded in this tab. */
async function confirmEmail(token: string): Promise<LinkOutcome> {
  const kept = readLink();
  if (kept?.token === token && kept.isConfirmed) return 'confirmed';
  try {
    await api('POST /auth/confirm-email', { body: { token } });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'invalid_code' || error.status === 422)) return 'over';
    throw error;
  }
  keepLink({ token, isConfirmed: true });
  return 'confirmed';
}
