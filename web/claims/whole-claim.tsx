import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { Confetti } from '#web/ui/confetti.tsx';
import { ClaimHistory } from './claim-history.tsx';
import { ClaimMore } from './claim-more.tsx';
import { ClaimStanding } from './claim-standing.tsx';
import { ClaimThread } from './claim-thread.tsx';
import { SealedTexts } from './sealed-texts.tsx';

/** As long as the finder has to judge, what they judge by comes first; once they have, what came of it does. */
export function WholeClaim({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const { role, status } = claim;
  const isOpen = status === 'waiting' || status === 'asked';
  const name = claim.other_name ?? t('personGone');
  const [firstStatus] = useState(status);
  return (
    <>
      {/* The owner's falls with the notice. */}
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

/** How it stands and what can be done. What was pressed goes with its step: the focus stays with what came of it. */
function Standing({ claim, isFirst, children }: { claim: Claim; isFirst: boolean; children: ReactNode }) {
  const section = useRef<HTMLElement>(null);
  const isStepTaken = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the claim that a step has changed
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
