import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { CLAIM_DECLINE_SECONDS } from '#contract/limits.ts';
import { toPhoneTime } from '#web/lib/server-time.ts';
import { formatCountdown, useSecondsLeft } from '#web/lib/use-seconds-left.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { problemOf } from './problem-of.ts';
import { StandingNote } from './standing-note.tsx';
import { useStep } from './use-step.ts';

/** To the finder: what they said, and how long it can still be taken back. */
export function DeclinedClaim({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const secondsLeft = useSecondsLeft(toldAt(claim), CLAIM_DECLINE_SECONDS);
  const step = useStep(claim, onStep);

  return (
    <>
      <StandingNote text={t('declinedFinder')} />
      {secondsLeft > 0 ? (
        <div className="card flex flex-wrap items-center justify-between gap-3">
          <p role="timer" className="tabular-nums">
            {t('untilTold', { time: formatCountdown(secondsLeft) })}
          </p>
          <Button
            look="secondary"
            isBusy={step.isPending}
            isLocked={step.isSuccess}
            onClick={() => step.mutate({ name: 'undo' })}
          >
            {t('undo')}
          </Button>
        </div>
      ) : (
        <p>{t('declinedTold')}</p>
      )}
      {step.error && <Banner tone="error">{problemOf(step.error, t)}</Banner>}
    </>
  );
}

/** When the decline takes effect, by this phone's clock; at once where it had been accepted before. */
function toldAt({ history }: Claim): number {
  const last = history.at(-1);
  if (last?.step !== 'decline' || history.some(({ step }) => step === 'accept')) return 0;
  return toPhoneTime(last.created_at) + CLAIM_DECLINE_SECONDS * 1000;
}
