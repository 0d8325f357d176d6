import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { CommunityFrame } from '#web/communities/community/community-frame.tsx';
import { LatestPosts } from '#web/communities/community/latest-posts.tsx';
import { LeaveCommunity } from '#web/communities/community/leave-community.tsx';
import { formatDate, formatNumber } from '#web/lib/format.ts';
import { runCommunityPath } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** /communities/{id}: a community as its members see it. */
export function CommunityScreen() {
  return (
    <CommunityFrame skeleton={<PageSkeleton />}>
      {(community) => (
        <div className="grid items-start gap-6 lg:grid-cols-3">
          <div className="grid gap-6 lg:col-span-2">
            <LatestPosts community={community} />
          </div>
          <div className="grid gap-6">
            <About community={community} />
            <WhoRunsIt community={community} />
          </div>
        </div>
      )}
    </CommunityFrame>
  );
}

function About({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  return (
    <section className="card grid gap-2" aria-labelledby="about">
      <h2 id="about">{t('about')}</h2>
      {community.description && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          {community.description}
        </p>
      )}
      <p className="text-muted text-sm">{t('since', { date: formatDate(community.created_at) })}</p>
      <p className="text-muted text-sm">
        {t('memberCount', { count: community.member_count, members: formatNumber(community.member_count) })}
      </p>
    </section>
  );
}

function WhoRunsIt({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const { id, admins, member_role } = community;
  return (
    <section className="card grid gap-3" aria-labelledby="who-runs-it">
      <h2 id="who-runs-it">{t('whoRunsIt')}</h2>
      {admins.length === 0 && <p className="text-muted">{t('nobodyRunsIt')}</p>}
      <ul className="grid gap-1">
        {admins.map((name, index) => (
          // Two admins may have the same name, and the list never changes its order, so the index is the key.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index} className="flex items-center gap-2">
            <Icon name="user" className="size-5 text-muted" />
            <span dir="auto" className="min-w-0 break-words">
              {name}
            </span>
          </li>
        ))}
      </ul>
      {member_role === 'admin' && (
        <ButtonLink icon="edit" to={runCommunityPath(id)}>
          {t('runIt')}
        </ButtonLink>
      )}
      <LeaveCommunity community={community} />
    </section>
  );
}

function PageSkeleton() {
  return (
    <div className="grid gap-5" aria-busy="true">
      <div className="skeleton h-9 w-2/3 max-w-md" />
      <div className="skeleton h-40 w-full" />
      <div className="skeleton h-40 w-full" />
    </div>
  );
}
