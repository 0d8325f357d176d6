import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Claim, ClaimRole } from '#contract/claims.ts';
import { useSession } from '#web/api/session.ts';
import { formatAge } from '#web/lib/format.ts';
import { claimPath, paths } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { claimsOptions, listedClaims, waitsForReader } from './api.ts';

/** The claims on things that the user found come first, because a claimant waits for the user's answer. */
const SECTIONS = [
  { role: 'finder', title: 'asFinder' },
  { role: 'claimant', title: 'asClaimant' },
] as const satisfies { role: ClaimRole; title: string }[];

/**
 * /claims: lists the user's claims as finder, then those as claimant. In each list, claims that wait for the user come
 * first.
 */
export function ClaimsScreen() {
  const { t } = useTranslation(['claims', 'common']);
  const session = useSession();
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-5">
      <div className="grid gap-2">
        <h1>{t('common:claims')}</h1>
        <p className="lead">{t('listText')}</p>
      </div>
      {session ? <OwnClaims /> : <LoginNeeded title={t('loginFirst')} label={t('login')} />}
    </div>
  );
}

function OwnClaims() {
  const { t } = useTranslation('claims');
  const list = useInfiniteQuery({
    ...claimsOptions,
    // Another tab may have changed a claim.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const claims = listedClaims(list.data);
  return (
    <QueryState
      query={list}
      failed={t('loadFailed')}
      skeleton={<CardSkeletons />}
      empty={claims.length === 0 && <NoClaims />}
      more={t('loadMore')}
      showsAge
    >
      {() =>
        SECTIONS.map(({ role, title }) => (
          <Section key={role} title={t(title)} claims={claims.filter((claim) => claim.role === role)} />
        ))
      }
    </QueryState>
  );
}

function NoClaims() {
  const { t } = useTranslation('claims');
  return (
    <EmptyState icon="tag" title={t('emptyTitle')} text={t('emptyText')}>
      <ButtonLink to={paths.viewPosts} icon="search">
        {t('findPosts')}
      </ButtonLink>
    </EmptyState>
  );
}

function Section({ title, claims }: { title: string; claims: Claim[] }) {
  if (claims.length === 0) return null;
  const ordered = [...claims].sort((one, other) => Number(waitsForReader(other)) - Number(waitsForReader(one)));
  return (
    <section className="grid gap-3" aria-label={title}>
      <h2>{title}</h2>
      <ol className="grid gap-3">
        {ordered.map((claim) => (
          <ClaimCard key={claim.id} claim={claim} />
        ))}
      </ol>
    </section>
  );
}

function CardSkeletons() {
  return (
    <div className="grid gap-3" aria-hidden="true">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className="skeleton h-28" />
      ))}
    </div>
  );
}

/** A claim in the list: the item, the other party and the state. */
function ClaimCard({ claim }: { claim: Claim }) {
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
