import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, withReference } from '#web/api/client.ts';
import { meQuery } from '#web/api/me.ts';
import { useSession } from '#web/api/session.ts';
import { late } from '#web/lib/late.ts';
import { WantedPart } from '#web/ui/late.tsx';
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx';
import { LoadFailure, useFailure } from '#web/ui/query-state.tsx';

/** Loaded only after the server has confirmed that the user is an admin. */
const lateAdmin = late(
  async () => (await import('./admin-screen.tsx')).AdminScreen,
  'admin',
  'fields',
  'notices',
  'posts',
);

/** /admin: anyone but a platform admin sees "Page not found". */
export function AdminGate() {
  const { t } = useTranslation('common');
  const isSignedIn = useSession() !== null;
  const me = useQuery({ ...meQuery, enabled: isSignedIn });
  const failure = useFailure(me);
  if (!isSignedIn || me.data?.is_platform_admin === false) return <NotFoundScreen />;
  if (me.data) {
    return (
      <WantedPart part={lateAdmin} waiting={<Waiting />}>
        {(AdminScreen) => <AdminScreen />}
      </WantedPart>
    );
  }
  if (!failure) return <Waiting />;
  // After a 401, `callApi` ends the session and the app goes to the sign-in. Until then, "Page not found" is shown. Any
  // other failure comes from the network or the server.
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
