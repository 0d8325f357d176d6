import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Community, CommunityStats } from '#contract/communities.ts';
import { withReference } from '#web/lib/api-client.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { AccessSettings } from './access-settings.tsx';
import { statsQuery } from './api.ts';

export function Dashboard({ community }: { community: Community }) {
  const { t } = useTranslation('community');
  const stats = useQuery(statsQuery(community.id));
  const failure = useFailure(stats);
  return (
    <div className="grid items-start gap-5 lg:grid-cols-3">
      <div className="lg:col-span-2">
        {stats.data && <StatCards stats={stats.data} />}
        {stats.isPending && !failure && <StatCardsSkeleton />}
        {failure && <LoadFailure title={withReference(t('statsFailed'), failure)} query={stats} />}
      </div>
      <AccessSettings community={community} />
    </div>
  );
}

function StatCards({ stats }: { stats: CommunityStats }) {
  const { t } = useTranslation('community');
  const { found_items, lost_items, active_posts, most_active_location, admin_username } = stats;
  const postsDetail = t('statPostsDetail', { found: formatNumber(found_items), lost: formatNumber(lost_items) });
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3">
      <StatCard icon="users" label={t('statMembers')} value={formatNumber(stats.total_members)} />
      <StatCard icon="tag" label={t('statPosts')} value={formatNumber(stats.total_posts)} detail={postsDetail} />
      <StatCard
        icon="check"
        label={t('statResolved')}
        value={formatNumber(stats.resolved_posts)}
        detail={t('statResolvedDetail', { active: formatNumber(active_posts) })}
      />
      <StatCard icon="clock" label={t('statRecent')} value={formatNumber(stats.posts_last_7_days)} />
      {most_active_location && <StatCard icon="pin" label={t('statLocation')} value={most_active_location} isText />}
      <StatCard icon="user" label={t('statAdmin')} value={admin_username ?? t('unknown')} isText />
    </dl>
  );
}

/** @param isText whether the value is words, which may be long, and no number. */
function StatCard({
  icon,
  label,
  value,
  detail,
  isText = false,
}: {
  icon: IconName;
  label: string;
  value: string;
  detail?: string;
  isText?: boolean;
}) {
  return (
    <div className="card grid content-start gap-1 p-4!">
      <dt className="flex items-start gap-2 text-muted text-sm">
        <Icon name={icon} className="mt-0.5 size-4" />
        {label}
      </dt>
      <dd className="grid gap-0.5">
        <span dir="auto" className={`line-clamp-3 break-words font-bold ${isText ? 'text-lg' : 'text-3xl'}`}>
          {value}
        </span>
        {detail && <span className="text-muted text-sm">{detail}</span>}
      </dd>
    </div>
  );
}

function StatCardsSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3" aria-busy="true">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key} className="skeleton h-28" />
      ))}
    </div>
  );
}
