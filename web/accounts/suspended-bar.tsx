import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/lib/me-query.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';

/** To whoever is suspended: why, and what still works. */
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
  // Another person's decision: what was known at the last look may be over.
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
