import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { withReference } from '#web/lib/api-client.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { BlockedPeople } from './blocked-people.tsx';
import { Devices } from './devices.tsx';
import { NoticeSettingsPart } from './notice-settings.tsx';
import { OwnData } from './own-data.tsx';
import { OwnDetails } from './own-details.tsx';
import { OwnPassword } from './own-password.tsx';

/** /account: what belongs to the signed-in person themselves. */
export function AccountScreen() {
  const { t } = useTranslation(['accounts', 'common']);
  const isSignedIn = useSession() !== null;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8">
      <h1>{t('accountTitle')}</h1>
      {isSignedIn ? (
        <OwnAccount />
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

function OwnAccount() {
  const { t } = useTranslation('settings');
  // What was proven meanwhile, in WhatsApp or by the link in an e-mail, is to be seen on coming back.
  const query = useQuery({ ...meQuery, refetchOnMount: 'always', refetchOnWindowFocus: 'always' });
  const failure = useFailure(query);
  if (failure) {
    return <LoadFailure title={withReference(t('loadFailed'), failure)} query={query} />;
  }
  if (!query.data) return <div className="skeleton h-80" aria-busy="true" />;
  return (
    <>
      <OwnDetails me={query.data} />
      <NoticeSettingsPart me={query.data} />
      <Devices />
      <OwnPassword />
      <BlockedPeople />
      <OwnData />
    </>
  );
}
