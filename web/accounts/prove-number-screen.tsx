import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Me } from '#contract/accounts.ts';
import { withReference } from '#web/lib/api-client.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { NumberForm } from './number-form.tsx';

/** /prove-number: whoever is signed in shows that their number is theirs, or changes it. */
export function ProveNumberScreen() {
  const { t } = useTranslation(['numbers', 'common']);
  const { pathname } = useLocation();
  return (
    <div className="mx-auto grid w-full max-w-md gap-5">
      <div className="grid gap-2">
        <h1>{t('proveTitle')}</h1>
        <p className="lead">{t('proveText')}</p>
      </div>
      {useSession() ? (
        <OwnNumber />
      ) : (
        <EmptyState icon="phone" title={t('loginFirst')}>
          <ButtonLink to={paths.login} state={{ from: pathname }}>
            {t('common:login')}
          </ButtonLink>
        </EmptyState>
      )}
    </div>
  );
}

function OwnNumber() {
  const { t } = useTranslation('numbers');
  const query = useQuery(meQuery);
  const failure = useFailure(query);
  if (failure) {
    return <LoadFailure title={withReference(t('loadFailed'), failure)} query={query} />;
  }
  if (!query.data) return <div className="skeleton h-80" aria-hidden="true" />;
  return (
    <>
      <CurrentNumber me={query.data} />
      <NumberForm current={query.data.whatsapp_number} />
    </>
  );
}

function CurrentNumber({ me: { whatsapp_number: number, is_whatsapp_verified: isProven } }: { me: Me }) {
  const { t } = useTranslation('numbers');
  if (number === null) return <Banner tone="notice">{t('currentNone')}</Banner>;
  return (
    <p className="flex flex-wrap items-center gap-2">
      {t('current', { number })}
      <Badge tone={isProven ? 'found' : 'plain'} {...(isProven && { icon: 'check' as const })}>
        {t(isProven ? 'currentProven' : 'currentUnproven')}
      </Badge>
    </p>
  );
}
