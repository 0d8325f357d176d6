import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router';
import type { CommunityPage } from '#contract/communities.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { communityQuery } from '#web/lib/community-query.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { paths } from '#web/lib/paths.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type FailedQuery, LoadFailure } from '#web/ui/load-failure.tsx';
import { ClosingBanner } from './closing-banner.tsx';
import { RoleBadge } from './community-card.tsx';

type Props = { skeleton: ReactNode; children: (community: CommunityPage) => ReactNode };

/** What stands around everything that is shown of the community in the address: its name, and that it closes. */
export function CommunityFrame({ skeleton, children }: Props) {
  const { t } = useTranslation('community');
  const { id = '' } = useParams();
  const query = useQuery(communityQuery(id));
  // What a member read before is not theirs to read any more.
  const isSuspended = query.error instanceof ApiError && query.error.code === 'community_suspended';
  const community = isSuspended ? undefined : query.data;
  const failure = useFailure({ ...query, data: community });
  useOwnTitle(community?.name);
  return (
    <div className="grid gap-4">
      <Link to={paths.communities} className="link flex min-h-11 items-center gap-2 justify-self-start">
        <Icon name="back" />
        {t('back')}
      </Link>
      {community && (
        <>
          <div className="flex flex-wrap items-center gap-3">
            <h1 dir="auto" className="min-w-0 break-words">
              {community.name}
            </h1>
            <RoleBadge role={community.member_role} />
          </div>
          <SuspensionBanner community={community} />
          <ClosingBanner community={community} />
          {children(community)}
        </>
      )}
      {!community && !failure && skeleton}
      {failure && <Problem error={failure} query={query} />}
    </div>
  );
}

function Problem({ error, query }: { error: Error; query: FailedQuery }) {
  const { t } = useTranslation(['community', 'communities']);
  const { pathname, search } = useLocation();
  const { status, code } = error instanceof ApiError ? error : { status: 0, code: null };
  if (code === 'community_suspended')
    return <EmptyState icon="users" title={t('suspendedTitle')} text={t('suspendedText')} isPage />;
  if (status === 404) return <EmptyState icon="search" title={t('notFound')} text={t('notFoundText')} isPage />;
  if (status === 401) {
    return (
      <EmptyState icon="users" title={t('communities:loginTitle')} isPage>
        <ButtonLink to={paths.login} state={{ from: pathname + search }}>
          {t('communities:login')}
        </ButtonLink>
      </EmptyState>
    );
  }
  return <LoadFailure title={describeFailure(error, t('communities:fetchFailed'))} isPage query={query} />;
}

/** To its admins, who still read it and post in it: why it is suspended, and what others see. */
function SuspensionBanner({ community: { is_suspended, suspension_reason } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  if (!is_suspended) return null;
  return (
    <Banner tone="notice">
      <p className="font-semibold">{t('suspendedTitle')}</p>
      <p>{t('suspendedForAdmins')}</p>
      {suspension_reason && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          {t('suspendedReason', { reason: suspension_reason })}
        </p>
      )}
    </Banner>
  );
}
