import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { ApiError } from '#web/lib/api-client.ts';
import { claimOptions } from '#web/lib/claims-query.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { SeenBefore } from '#web/ui/seen-before.tsx';
import { LoginForClaims } from './login-for-claims.tsx';
import { WholeClaim } from './whole-claim.tsx';

/** /claims/{id}: one claim, for its two people. */
export function ClaimScreen() {
  const { id = '' } = useParams();
  const session = useSession();
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      {session ? <LoadedClaim key={session.userId + id} claimId={id} /> : <LoginForClaims isPage />}
    </div>
  );
}

function LoadedClaim({ claimId }: { claimId: string }) {
  const { t } = useTranslation(['claims', 'posts']);
  const query = useQuery(claimOptions(claimId));
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  const claim = isGone ? undefined : query.data;
  const failure = useFailure({ ...query, data: claim });
  useOwnTitle(claim?.post_title ?? undefined);
  if (failure)
    return <LoadFailure icon="search" title={describeFailure(failure, t('posts:noAnswer'))} isPage query={query} />;
  if (!claim) return <ClaimSkeleton />;
  return (
    <>
      <SeenBefore updatedAt={query.dataUpdatedAt} isOutdated={query.isRefetchError} />
      <WholeClaim claim={claim} />
      <ButtonLink look="quiet" icon="back" to={paths.claims} className="justify-self-start px-2!">
        {t('allClaims')}
      </ButtonLink>
    </>
  );
}

function ClaimSkeleton() {
  return (
    <div className="grid gap-4" aria-hidden="true">
      <div className="skeleton h-9 w-64" />
      <div className="skeleton h-32" />
      <div className="skeleton h-64" />
    </div>
  );
}
