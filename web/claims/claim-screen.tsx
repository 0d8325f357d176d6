import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Claim } from '#contract/claims.ts';
import { ApiError, failureText } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/lib/paths.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Confetti } from '#web/ui/confetti.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { claimOptions } from './api.ts';
import { ClaimMore } from './claim-more.tsx';
import { ClaimHistory, ClaimThread, SealedTexts } from './claim-record.tsx';
import { ClaimStanding } from './claim-standing.tsx';

/** /claims/{id}: one claim, for its two parties. */
export function ClaimScreen() {
  const { id = '' } = useParams();
  const { t } = useTranslation('claims');
  const session = useSession();
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      {session ? (
        <LoadedClaim key={session.userId + id} claimId={id} />
      ) : (
        <LoginNeeded title={t('loginFirst')} label={t('login')} isPage />
      )}
    </div>
  );
}

function LoadedClaim({ claimId }: { claimId: string }) {
  const { t } = useTranslation(['claims', 'posts']);
  const query = useQuery(claimOptions(claimId));
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  const claim = isGone ? undefined : query.data;
  useOwnTitle(claim?.post_title ?? undefined);
  return (
    <QueryState
      query={{ ...query, data: claim }}
      failed={t('posts:noAnswer')}
      wording={failureText}
      icon="search"
      isPage
      skeleton={<ClaimSkeleton />}
      showsAge
    >
      {(shown) => (
        <>
          <WholeClaim claim={shown} />
          <ButtonLink look="quiet" icon="back" to={paths.claims} className="justify-self-start px-2!">
            {t('allClaims')}
          </ButtonLink>
        </>
      )}
    </QueryState>
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

/** Until the finder has decided, shows both parties' texts above the claim's state. Afterwards, the state is first. */
function WholeClaim({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const { role, status } = claim;
  const isOpen = status === 'waiting' || status === 'asked';
  const name = claim.other_name ?? t('personGone');
  const [firstStatus] = useState(status);
  return (
    <>
      {/* Only the finder gets confetti here: the claimant gets it with the notice of the hand-over. */}
      {role === 'finder' && status === 'handed_over' && firstStatus !== status && <Confetti />}
      <div className="wrap-anywhere grid gap-1">
        <h1 dir="auto">{claim.post_title ?? t('postGone')}</h1>
        <p className="lead">{t(role === 'finder' ? 'aboutFinder' : 'aboutClaimant', { name })}</p>
      </div>
      <Standing claim={claim} isFirst={!isOpen}>
        <SealedTexts claim={claim} />
        <ClaimThread claim={claim} />
      </Standing>
      <ClaimHistory claim={claim} />
      <ClaimMore claim={claim} />
    </>
  );
}

/** The claim's state and next steps. A step removes the pressed button, so the focus moves to this section. */
function Standing({ claim, isFirst, children }: { claim: Claim; isFirst: boolean; children: ReactNode }) {
  const section = useRef<HTMLElement>(null);
  const isStepTaken = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a step has changed the claim
  useEffect(() => {
    if (isStepTaken.current) section.current?.focus();
    isStepTaken.current = false;
  }, [claim.status, claim.history.length]);

  return (
    <>
      {!isFirst && children}
      <section ref={section} tabIndex={-1} className="grid gap-4 outline-none" aria-labelledby="standing">
        <ClaimStanding
          claim={claim}
          onStep={() => {
            isStepTaken.current = true;
          }}
        />
      </section>
      {isFirst && children}
    </>
  );
}
