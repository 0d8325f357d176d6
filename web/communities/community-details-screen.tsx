import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import type { Community } from '#contract/communities.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { paths } from '#web/lib/paths.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { communityQuery } from './api.ts';
import { RoleBadge } from './community-card.tsx';
import { addCommunityTexts } from './community-texts.ts';
import { Dashboard } from './dashboard.tsx';
import { Members } from './members.tsx';
import { PostsPlaceholder, SettingsPlaceholder } from './placeholders.tsx';

addCommunityTexts();

const TABS = ['dashboard', 'members', 'posts', 'settings'] as const;
type Tab = (typeof TABS)[number];

/** /community-details/{id} (specification §2). */
export function CommunityDetailsScreen() {
  const { t } = useTranslation(['community', 'communities']);
  const { id = '' } = useParams();
  const query = useQuery(communityQuery(id));
  const { data: community } = query;
  const failure = useFailure(query);
  useOwnTitle(community?.name);
  return (
    <div className="grid gap-4">
      <Link to={paths.communities} className="link flex min-h-11 items-center gap-2 justify-self-start">
        <Icon name="back" />
        {t('back')}
      </Link>
      {community && <Details community={community} />}
      {!community && !failure && <DetailsSkeleton />}
      {failure && <Problem error={failure} isRetrying={query.isFetching} onRetry={() => void query.refetch()} />}
    </div>
  );
}

function Details({ community }: { community: Community }) {
  const { t } = useTranslation(['community', 'communities']);
  const [tab, setTab] = useTab();
  const isAdmin = community.member_role === 'admin';
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h1 dir="auto" className="min-w-0 break-words">
          {community.name}
        </h1>
        <RoleBadge role={community.member_role} />
      </div>
      {isAdmin ? (
        <Tabs label={t('tabs')} tabs={TABS.map((name) => ({ name, label: t(name) }))} current={tab} onChange={setTab}>
          {tab === 'dashboard' && <Dashboard community={community} />}
          {tab === 'members' && <Members communityId={community.id} />}
          {tab === 'posts' && <PostsPlaceholder communityCode={community.community_code} />}
          {tab === 'settings' && <SettingsPlaceholder />}
        </Tabs>
      ) : (
        <EmptyState icon="users" title={t('adminsOnly')} />
      )}
    </>
  );
}

/** The tab stands in the address, so that it can be linked to and survives a reload; the dashboard is the bare address. */
function useTab(): [Tab, (tab: Tab) => void] {
  const [params, setParams] = useSearchParams();
  const named = TABS.find((tab) => tab === params.get('tab')) ?? 'dashboard';
  const choose = (tab: Tab) =>
    setParams(tab === 'dashboard' ? {} : { tab }, { replace: true, preventScrollReset: true });
  return [named, choose];
}

function Problem({ error, ...retry }: { error: Error; isRetrying: boolean; onRetry: () => void }) {
  const { t } = useTranslation(['community', 'communities']);
  const { pathname, search } = useLocation();
  const status = error instanceof ApiError ? error.status : 0;
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
  return (
    <LoadFailure
      title={(error instanceof ApiError && error.detail) || t('communities:fetchFailed')}
      isPage
      {...retry}
    />
  );
}

function DetailsSkeleton() {
  return (
    <div className="grid gap-5" aria-busy="true">
      <div className="skeleton h-9 w-2/3 max-w-md" />
      <div className="skeleton h-11 w-full" />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <div key={key} className="skeleton h-28" />
        ))}
      </div>
    </div>
  );
}
