import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Claim } from '#contract/claims.ts';
import { waitsForReader } from '#web/lib/claims-query.ts';
import { formatAge } from '#web/lib/format.ts';
import { claimPath } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';

/** A claim in the list: what it is about, with whom, and how far it is. */
export function ClaimCard({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const { role, status } = claim;
  const isPaused = claim.is_paused && (status === 'waiting' || status === 'asked' || status === 'accepted');
  return (
    <li className="card wrap-anywhere relative grid justify-items-start gap-1.5">
      {waitsForReader(claim) && (
        <Badge tone="lost" icon="clock">
          {t('waitsForYou')}
        </Badge>
      )}
      <Link to={claimPath(claim.id)} dir="auto" className="link block text-lg after:absolute after:inset-0">
        {claim.post_title ?? t('postGone')}
      </Link>
      <p className="font-medium">{t(isPaused ? 'paused' : `status.${role}.${status}`)}</p>
      <p className="text-muted text-sm">
        <bdi>{claim.other_name ?? t('personGone')}</bdi>
        {' · '}
        <time dateTime={claim.updated_at}>{formatAge(claim.updated_at)}</time>
      </p>
    </li>
  );
}
