import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/lib/me-query.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { BlockedPeople } from './blocked-people.tsx';

/** /account: what belongs to the signed-in person themselves. */
export function AccountScreen() {
  const { t } = useTranslation(['accounts', 'common']);
  const isSignedIn = useSession() !== null;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6">
      <h1>{t('accountTitle')}</h1>
      {isSignedIn ? (
        <>
          <Myself />
          <BlockedPeople />
        </>
      ) : (
        <EmptyState icon="user" title={t('accountLoginFirst')}>
          <ButtonLink to={paths.login} state={{ from: paths.account }}>
            {t('common:login')}
          </ButtonLink>
        </EmptyState>
      )}
    </div>
  );
}

function Myself() {
  const { t } = useTranslation('accounts');
  const { data: me } = useQuery(meQuery);
  if (!me) return <div className="skeleton h-24" aria-hidden="true" />;
  return (
    <dl className="card grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
      <dt className="text-muted">{t('username')}</dt>
      <dd dir="auto" className="break-words font-semibold">
        {me.username}
      </dd>
      {me.whatsapp_number && (
        <>
          <dt className="text-muted">{t('phoneNumber')}</dt>
          <dd>{me.whatsapp_number}</dd>
        </>
      )}
    </dl>
  );
}
