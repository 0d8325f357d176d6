import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { CommunityPage } from '#contract/communities.ts';
import { CommunityFrame } from '#web/communities/community/community-frame.tsx';
import { CommunityPosts } from '#web/communities/run/community-posts.tsx';
import { Dashboard } from '#web/communities/run/dashboard.tsx';
import { Members } from '#web/communities/run/members.tsx';
import { Settings } from '#web/communities/run/settings.tsx';
import { communityMembersPath, communityPath, deskPath } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const TABS = ['dashboard', 'members', 'posts', 'settings'] as const;
type Tab = (typeof TABS)[number];

/** /community-details/{id}: the administration of a community (docs/product.md S8). */
export function CommunityDetailsScreen() {
  return (
    <CommunityFrame skeleton={<DetailsSkeleton />}>
      {(community) =>
        community.member_role === 'admin' ? <Details community={community} /> : <AdminsOnly id={community.id} />
      }
    </CommunityFrame>
  );
}

function Details({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [tab, setTab] = useTab();
  const { id, approval_status, waiting_requests } = community;
  return (
    <>
      {approval_status === 1 && (
        <div className="flex flex-wrap gap-2">
          <ButtonLink look="secondary" icon="plus" to={deskPath(id)}>
            {t('openDesk')}
          </ButtonLink>
          <ButtonLink look="quiet" icon="eye" to={communityPath(id)}>
            {t('seeAsMember')}
          </ButtonLink>
        </div>
      )}
      {waiting_requests > 0 && tab !== 'members' && (
        <Banner tone="notice">
          {t('requestsWaiting', { count: waiting_requests })}{' '}
          <Link className="link py-1" to={communityMembersPath(id)}>
            {t('seeRequests')}
          </Link>
        </Banner>
      )}
      <Tabs label={t('tabs')} tabs={TABS.map((name) => ({ name, label: t(name) }))} current={tab} onChange={setTab}>
        {tab === 'dashboard' && <Dashboard community={community} />}
        {tab === 'members' && <Members community={community} />}
        {tab === 'posts' && <CommunityPosts key={id} community={community} />}
        {tab === 'settings' && <Settings key={id} community={community} />}
      </Tabs>
    </>
  );
}

function AdminsOnly({ id }: { id: string }) {
  const { t } = useTranslation('community');
  return (
    <EmptyState icon="users" title={t('adminsOnly')}>
      <ButtonLink to={communityPath(id)}>{t('openMembersPage')}</ButtonLink>
    </EmptyState>
  );
}

/**
 * Returns the open tab and a function that opens another one. The address contains the tab, for links and reloads; an
 * address without a tab means the dashboard.
 */
function useTab(): [Tab, (tab: Tab) => void] {
  const [params, setParams] = useSearchParams();
  const named = TABS.find((tab) => tab === params.get('tab')) ?? 'dashboard';
  const choose = (tab: Tab) =>
    setParams(tab === 'dashboard' ? {} : { tab }, { replace: true, preventScrollReset: true });
  return [named, choose];
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
