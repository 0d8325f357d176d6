import { queryOptions, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { CommunityPage } from '#contract/communities.ts';
import { ApiError, api, failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { reopenCommunity } from '#web/communities/api.ts';
import { RoleBadge } from '#web/communities/list/community-card.tsx';
import { formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import { useAction } from '#web/ui/action.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';

type Props = { skeleton: ReactNode; children: (community: CommunityPage) => ReactNode };

/** The frame of a community's pages: its name, and a banner if it is suspended or closing. */
export function CommunityFrame({ skeleton, children }: Props) {
  const { t } = useTranslation(['community', 'communities']);
  const { id = '' } = useParams();
  const query = useQuery(communityQuery(id));
  // Hides the cached data of a suspended community: its members must not see what they loaded earlier.
  const isSuspended = query.error instanceof ApiError && query.error.code === 'community_suspended';
  const community = isSuspended ? undefined : query.data;
  useOwnTitle(community?.name);
  return (
    <div className="grid gap-4">
      <Link to={paths.communities} className="link flex min-h-11 items-center gap-2 justify-self-start">
        <Icon name="back" />
        {t('back')}
      </Link>
      <QueryState
        query={{ ...query, data: community }}
        failed={t('communities:fetchFailed')}
        wording={failureText}
        refusal={(error) => refusalOf(error, t)}
        isPage
        skeleton={skeleton}
      >
        {(shown) => (
          <>
            <div className="flex flex-wrap items-center gap-3">
              <h1 dir="auto" className="min-w-0 break-words">
                {shown.name}
              </h1>
              <RoleBadge role={shown.member_role} />
            </div>
            <SuspensionBanner community={shown} />
            <ClosingBanner community={shown} />
            {children(shown)}
          </>
        )}
      </QueryState>
    </div>
  );
}

function refusalOf(error: Error, t: TFunction<['community', 'communities']>): ReactNode {
  const { status, code } = error instanceof ApiError ? error : { status: 0, code: null };
  if (code === 'community_suspended')
    return <EmptyState icon="users" title={t('suspendedTitle')} text={t('suspendedText')} isPage />;
  if (status === 404) return <EmptyState icon="search" title={t('notFound')} text={t('notFoundText')} isPage />;
  if (status === 401) {
    return <LoginNeeded icon="users" title={t('communities:loginTitle')} label={t('communities:login')} isPage />;
  }
  return null;
}

/**
 * Shows the admins of a suspended community the reason for the suspension. Until the community is reinstated, only the
 * admins can read the community and post in it.
 */
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

/** Shows all members the date on which the community closes. Its admins, or its only member, can cancel the closing. */
function ClosingBanner({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const reopening = useAction({
    run: () => reopenCommunity(community.id),
    done: t('reopened'),
    stale: [queryKeys.communities.all],
  });
  const { closes_at, member_role, member_count } = community;
  if (closes_at === null) return null;
  return (
    <Banner tone="notice">
      <div className="grid justify-items-start gap-3">
        <p>{t('closesOn', { date: formatDate(closes_at) })}</p>
        {reopening.error && <p role="alert">{failureText(reopening.error, t('failed'), t('noAnswer'))}</p>}
        {(member_role === 'admin' || member_count === 1) && (
          <Button look="secondary" isBusy={reopening.isPending} onClick={() => reopening.mutate()}>
            {t('reopen')}
          </Button>
        )}
      </div>
    </Banner>
  );
}

function communityQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.communities.one(id),
    queryFn: ({ signal }) => api('GET /communities/:id', { params: { id }, signal }),
  });
}
