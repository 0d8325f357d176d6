import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Community } from '#contract/communities.ts';
import { formatDate } from '#web/lib/format.ts';
import { communityPath, runCommunityPath } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Icon } from '#web/ui/icon.tsx';

/**
 * A card for one of the user's communities. Only the community's admins see its approval status, creation date and
 * access code, and a link to its administration (docs/product.md S7).
 */
export function CommunityCard({ community }: { community: Community }) {
  const { t } = useTranslation('communities');
  const isAdmin = community.member_role === 'admin';
  return (
    <li className="card relative grid gap-2 hover:border-accent">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 dir="auto" className="min-w-0 break-words font-bold text-lg">
          <Link
            className="link after:absolute after:inset-0"
            to={isAdmin ? runCommunityPath(community.id) : communityPath(community.id)}
          >
            {community.name}
          </Link>
        </h3>
        <div className="flex flex-wrap gap-1.5">
          <RoleBadge role={community.member_role} />
          {community.is_suspended ? (
            <Badge tone="lost" icon="alert">
              {t('suspended')}
            </Badge>
          ) : (
            isAdmin && <StatusBadge isApproved={community.approval_status === 1} />
          )}
        </div>
      </div>
      {community.description && (
        <p dir="auto" className="line-clamp-2 break-words text-muted">
          {community.description}
        </p>
      )}
      {community.closes_at !== null && (
        <p className="flex items-center gap-2 text-lost">
          <Icon name="clock" className="size-5" />
          {t('closesOn', { date: formatDate(community.closes_at) })}
        </p>
      )}
      {isAdmin && (
        <p className="flex flex-wrap gap-x-5 gap-y-1 text-muted text-sm">
          <span>{t('createdOn', { date: formatDate(community.created_at) })}</span>
          {community.access_code && (
            // Lies in front of the link that covers the whole card, so that the user can select the access code.
            <span className="relative z-10">{t('accessCodeOf', { code: community.access_code })}</span>
          )}
        </p>
      )}
    </li>
  );
}

/** @param role admin, member, or a role that this version of the app does not know (docs/product.md C3). */
export function RoleBadge({ role }: { role: string }) {
  const { t } = useTranslation('communities');
  if (role === 'admin') return <Badge tone="accent">{t('roleAdmin')}</Badge>;
  return <Badge tone="plain">{role === 'member' ? t('roleMember') : t('roleOther')}</Badge>;
}

function StatusBadge({ isApproved }: { isApproved: boolean }) {
  const { t } = useTranslation('communities');
  return isApproved ? (
    <Badge tone="found" icon="check">
      {t('approved')}
    </Badge>
  ) : (
    <Badge tone="lost" icon="clock">
      {t('pending')}
    </Badge>
  );
}

export function CommunityCardSkeleton() {
  return (
    <div className="card grid gap-3">
      <div className="skeleton h-6 w-2/3" />
      <div className="skeleton h-4 w-full" />
      <div className="skeleton h-4 w-1/2" />
    </div>
  );
}
