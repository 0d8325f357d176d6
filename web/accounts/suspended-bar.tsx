import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/api/me.ts';
import { queryClient } from '#web/api/queries.ts';
import { useSession } from '#web/api/session.ts';
import { Banner } from '#web/ui/banner.tsx';

/** Shows a suspended person the reason, and what they can still do. */
export function SuspendedBar() {
  const session = useSession();
  return (
    session && (
      <QueryClientProvider client={queryClient}>
        <Reason key={session.userId} />
      </QueryClientProvider>
    )
  );
}

function Reason() {
  const { t } = useTranslation('accounts');
  // Refetched when the user returns, because an admin may reinstate them at any time.
  const { data: me } = useQuery({ ...meQuery, refetchOnWindowFocus: true });
  if (!me?.is_suspended) return null;
  return (
    <div className="page-width pt-4">
      <Banner tone="notice">
        <p className="font-semibold">{t('suspendedTitle')}</p>
        <p>{t('suspendedText')}</p>
        {me.suspension_reason && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {t('suspendedReason', { reason: me.suspension_reason })}
          </p>
        )}
      </Banner>
    </div>
  );
}
