import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Claim } from '#contract/claims.ts';
import { CLAIM_ASKS_MAX } from '#contract/limits.ts';
import { failureText } from '#web/api/client.ts';
import { claimPath } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { claimsOptions, listedClaims, useStep } from './api.ts';
import { StandingNote, ThreadForm } from './thread-form.tsx';

/**
 * "It is theirs", "not sure, ask" and "not theirs": three large buttons, each with its consequence. While the post is
 * hidden, the claim is paused: only "not theirs" is shown, and no heading.
 */
export function FinderAnswers({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const step = useStep(claim, onStep);
  const [isAsking, setIsAsking] = useState(false);
  const rival = useAcceptedRival(claim);
  const { is_paused: isPaused } = claim;
  const isAsked = claim.status === 'asked';
  const isAskedOut = claim.history.filter((past) => past.step === 'ask').length >= CLAIM_ASKS_MAX;
  const answer = (name: 'accept' | 'decline') => {
    if (step.isPending || step.isSuccess) return;
    step.mutate({ name });
  };
  const shared = (name: 'accept' | 'decline') => ({
    isBusy: step.isPending && step.variables.name === name,
    isLocked: step.isPending || step.isSuccess,
    onClick: () => answer(name),
  });

  return (
    <>
      {!isPaused && (isAsked ? <StandingNote text={t('waitingForReply')} /> : <h2 id="standing">{t('isItTheirs')}</h2>)}
      {isPaused ? null : rival ? (
        <OtherAccepted rival={rival} />
      ) : (
        <Answer means={t('acceptMeans')}>
          {(id) => (
            <Button
              // While the finder writes a question, the primary button is the one that sends the question.
              look={isAsking ? 'secondary' : 'primary'}
              icon="check"
              className={SIZE}
              aria-describedby={id}
              {...shared('accept')}
            >
              {t('accept')}
            </Button>
          )}
        </Answer>
      )}
      {!isPaused &&
        !isAsked &&
        (isAskedOut ? <p>{t('askedOut')}</p> : <Asking {...{ claim, onStep, isAsking, setIsAsking }} />)}
      <Answer means={t('declineMeans')}>
        {(id) => (
          <Button look="secondary" icon="close" className={SIZE} aria-describedby={id} {...shared('decline')}>
            {t('decline')}
          </Button>
        )}
      </Answer>
      {step.error && <Banner tone="error">{failureText(step.error, t('stepFailed'), t('noAnswer'))}</Banner>}
    </>
  );
}

const SIZE = 'min-h-12 w-full';

/** Returns the accepted claim of another person on the same post. Until it ends, no other claim can be accepted. */
function useAcceptedRival({ id, post_id }: Claim): Claim | undefined {
  const claims = listedClaims(useInfiniteQuery(claimsOptions).data);
  return claims.find((other) => other.post_id === post_id && other.id !== id && other.status === 'accepted');
}

function OtherAccepted({ rival }: { rival: Claim }) {
  const { t } = useTranslation('claims');
  return (
    <Banner tone="notice">
      {t('otherAccepted')}{' '}
      <Link className="link py-1" to={claimPath(rival.id)}>
        {t('seeAccepted')}
      </Link>
    </Banner>
  );
}

function Answer({ means, children }: { means: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      {children(id)}
      <p id={id} className="text-muted text-sm">
        {means}
      </p>
    </div>
  );
}

type AskingProps = {
  claim: Claim;
  onStep: () => void;
  isAsking: boolean;
  setIsAsking: (isAsking: boolean) => void;
};

/** A button that opens the form for a question, and is replaced by the form. */
function Asking({ claim, onStep, isAsking, setIsAsking }: AskingProps) {
  const { t } = useTranslation('claims');
  const button = useRef<HTMLButtonElement>(null);

  function cancel() {
    flushSync(() => setIsAsking(false));
    button.current?.focus();
  }

  if (isAsking) return <ThreadForm name="ask" claim={claim} onStep={onStep} onCancel={cancel} />;
  return (
    <Answer means={t('askMeans')}>
      {(id) => (
        <Button
          ref={button}
          look="secondary"
          icon="chat"
          className={SIZE}
          aria-describedby={id}
          onClick={() => setIsAsking(true)}
        >
          {t('ask')}
        </Button>
      )}
    </Answer>
  );
}
