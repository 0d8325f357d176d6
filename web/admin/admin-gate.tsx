import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, withReference } from '#web/lib/api-client.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx';
import { WantedPart } from '#web/ui/wanted-part.tsx';

/** Not loaded before the server has said who asks. */
const loadAdmin = withTexts(
  async () => (await import('./admin-screen.tsx')).AdminScreen,
  'admin',
  'fields',
  'notices',
  'posts',
);

/** /admin: to everyone but a platform admin there is nothing at this address. */
export function AdminGate() {
  const { t } = useTranslation('common');
  const isSignedIn = useSession() !== null;
  const me = useQuery({ ...meQuery, enabled: isSignedIn });
  const failure = useFailure(me);
  if (!isSignedIn || me.data?.is_platform_admin === false) return <NotFoundScreen />;
  if (me.data) {
    return (
      <WantedPart load={loadAdmin} waiting={<Waiting />}>
        {(AdminScreen) => <AdminScreen />}
      </WantedPart>
    );
  }
  if (!failure) return <Waiting />;
  // A refused token leads to the sign-in; anything else is the network's fault.
  if (failure instanceof ApiError && failure.status === 401) return <NotFoundScreen />;
  return <LoadFailure title={t('brokenTitle')} text={withReference(t('genericError'), failure)} isPage query={me} />;
}

function Waiting() {
  return (
    <div className="grid gap-4" aria-busy="true">
      <div className="skeleton h-9 w-56" />
      <div className="skeleton h-11 w-full" />
      <div className="skeleton h-32 w-full" />
    </div>
  );
}
