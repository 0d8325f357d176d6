import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Claim, ClaimRole } from '#contract/claims.ts';
import { withReference } from '#web/lib/api-client.ts';
import { claimsOptions, listedClaims, waitsForReader } from '#web/lib/claims-query.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { SeenBefore } from '#web/ui/seen-before.tsx';
import { ClaimCard } from './claim-card.tsx';
import { LoginForClaims } from './login-for-claims.tsx';

/** What one has found comes first: somebody waits there for an answer. */
const SECTIONS = [
  { role: 'finder', title: 'asFinder' },
  { role: 'claimant', title: 'asClaimant' },
] as const satisfies { role: ClaimRole; title: string }[];

/** /claims: the reader's claims on either side, of each what waits for them first. */
export function ClaimsScreen() {
  const { t } = useTranslation(['claims', 'common']);
  const session = useSession();
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-5">
      <div className="grid gap-2">
        <h1>{t('common:claims')}</h1>
        <p className="lead">{t('listText')}</p>
      </div>
      {session ? <OwnClaims /> : <LoginForClaims />}
    </div>
  );
}

function OwnClaims() {
  const { t } = useTranslation('claims');
  const list = useInfiniteQuery({
    ...claimsOptions,
    // Another tab may have gone on with one.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const failure = useFailure(list);
  const claims = listedClaims(list.data);
  if (failure) {
    const title = withReference(t('loadFailed'), failure);
    return <LoadFailure title={title} query={list} />;
  }
  if (list.isPending) return <CardSkeletons />;
  if (claims.length === 0) {
    return (
      <EmptyState icon="tag" title={t('emptyTitle')} text={t('emptyText')}>
        <ButtonLink to={paths.viewPosts} icon="search">
          {t('findPosts')}
        </ButtonLink>
      </EmptyState>
    );
  }
  return (
    <>
      <SeenBefore updatedAt={list.dataUpdatedAt} isOutdated={list.isRefetchError} />
      {SECTIONS.map(({ role, title }) => (
        <Section key={role} title={t(title)} claims={claims.filter((claim) => claim.role === role)} />
      ))}
      <MoreButton list={list} label={t('loadMore')} failed={t('loadFailed')} />
    </>
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
