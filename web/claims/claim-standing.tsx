import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { CLAIM_DECLINE_SECONDS } from '#contract/limits.ts';
import { failureText } from '#web/api/client.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { formatCountdown, useSecondsLeft } from '#web/lib/countdown.ts';
import { toPhoneTime } from '#web/lib/server-time.ts';
import { SafeMeeting } from '#web/posts/post/safe-meeting.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';
import { useStep } from './api.ts';
import { FinderAnswers } from './finder-answers.tsx';
import { HandOverForm, OtherNumber, Receipt } from './hand-over.tsx';
import { StandingNote, ThreadForm } from './thread-form.tsx';

type ClaimStandingProps = { claim: Claim; onStep: () => void };

/** The claim's current state for this user, and the steps that they can take now. */
export function ClaimStanding(props: ClaimStandingProps) {
  const { t } = useTranslation('claims');
  const { role, status, is_paused } = props.claim;
  if (is_paused && (status === 'waiting' || status === 'asked' || status === 'accepted'))
    return <PausedClaim {...props} />;
  switch (status) {
    case 'waiting':
    case 'asked':
      return role === 'finder' ? <FinderAnswers {...props} /> : <Claiming {...props} />;
    case 'accepted':
      return <AcceptedClaim {...props} />;
    case 'handed_over':
      return <Receipt claim={props.claim} />;
    case 'declined':
      return role === 'finder' ? <DeclinedClaim {...props} /> : <StandingNote text={t('declinedClaimant')} />;
    case 'withdrawn':
      return <StandingNote text={t(role === 'finder' ? 'withdrawnFinder' : 'withdrawnClaimant')} />;
    case 'closed':
      return <StandingNote text={t('closedNote')} />;
  }
}

/**
 * A claim that is paused because its post is hidden. The parties can only reply and take the steps that end the claim.
 */
function PausedClaim({ claim, onStep }: ClaimStandingProps) {
  const { t } = useTranslation('claims');
  const { role, status, messages } = claim;
  const isFinder = role === 'finder';
  return (
    <>
      <div className="grid gap-2 rounded-xl bg-notice-soft px-4 py-3 text-notice">
        <h2 id="standing">{t('paused')}</h2>
        <p>{t(isFinder ? 'pausedFinder' : 'pausedClaimant')}</p>
      </div>
      {!isFinder && status === 'asked' && (
        <ThreadForm key={messages.length} name="reply" claim={claim} onStep={onStep} />
      )}
      {!isFinder && <WithdrawClaim claim={claim} onStep={onStep} />}
      {isFinder &&
        (status === 'accepted' ? (
          <DeclineAccepted claim={claim} onStep={onStep} />
        ) : (
          <FinderAnswers claim={claim} onStep={onStep} />
        ))}
    </>
  );
}

function Claiming({ claim, onStep }: ClaimStandingProps) {
  const { t } = useTranslation('claims');
  const isAsked = claim.status === 'asked';
  return (
    <>
      <StandingNote text={t(isAsked ? 'questionForYou' : 'waitingForFinder')} />
      {isAsked && <ThreadForm key={claim.messages.length} name="reply" claim={claim} onStep={onStep} />}
      <WithdrawClaim claim={claim} onStep={onStep} />
    </>
  );
}

/** The accepted claim: how to contact the other party, safety advice, and the hand-over with the claimant's code. */
function AcceptedClaim({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const isFinder = claim.role === 'finder';
  return (
    <>
      <div className="card grid gap-3 border-found bg-found-soft/50">
        <h2 id="standing">{t(isFinder ? 'acceptedFinder' : 'acceptedClaimant')}</h2>
        <p>{t('meetFinder', { name: claim.other_name ?? t('personGone') })}</p>
        <OtherNumber claim={claim} />
      </div>
      {isFinder ? <HandOverForm claim={claim} onStep={onStep} /> : <Code code={claim.handover_code} />}
      <SafeMeeting />
      {isFinder ? <DeclineAccepted claim={claim} onStep={onStep} /> : <WithdrawClaim claim={claim} onStep={onStep} />}
    </>
  );
}

/** The hand-over code. Large, so that it can be read across a counter. A screen reader reads it digit by digit. */
function Code({ code }: { code: string | null }) {
  const { t } = useTranslation('claims');
  if (code === null) return null;
  return (
    <section className="card grid justify-items-center gap-2 text-center" aria-labelledby="code">
      <h2 id="code">{t('code')}</h2>
      <p aria-hidden="true" className="font-bold text-5xl tabular-nums tracking-[0.15em]">
        {code}
      </p>
      <p className="sr-only">{[...code].join(' ')}</p>
      <p>{t('codeText')}</p>
    </section>
  );
}

/** Shows the finder that they declined the claim, and how long they can undo the decline. */
function DeclinedClaim({ claim, onStep }: { claim: Claim; onStep: () => void }) {
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
      {step.error && <Banner tone="error">{failureText(step.error, t('stepFailed'), t('noAnswer'))}</Banner>}
    </>
  );
}

/**
 * Returns when the decline takes effect, by this phone's clock, in milliseconds. Returns 0 if the decline took effect
 * at once, because the claim had been accepted before.
 */
function toldAt({ history }: Claim): number {
  const last = history.at(-1);
  if (last?.step !== 'decline' || history.some(({ step }) => step === 'accept')) return 0;
  return toPhoneTime(last.created_at) + CLAIM_DECLINE_SECONDS * 1000;
}

/** Lets the finder decline a claim that they accepted. */
function DeclineAccepted({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const words = {
    button: t('declineAccepted'),
    title: t('declineAcceptedTitle'),
    text: t('declineAcceptedText'),
    confirm: t('decline'),
  };
  return <EndingDialog name="decline" claim={claim} words={words} onStep={onStep} />;
}

/** Lets the claimant withdraw the claim until the hand-over. */
function WithdrawClaim({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const words = {
    button: t('withdraw'),
    title: t('withdrawTitle'),
    text: t('withdrawText'),
    confirm: t('withdrawConfirm'),
  };
  return <EndingDialog name="withdraw" claim={claim} words={words} onStep={onStep} />;
}

type EndingDialogProps = {
  name: 'withdraw' | 'decline';
  claim: Claim;
  words: { button: string; title: string; text: string; confirm: string };
  onStep: () => void;
};

/** A button for a step that ends the claim for good, with a dialog that explains it first. */
function EndingDialog({ name, claim, words, onStep }: EndingDialogProps) {
  const { t } = useTranslation('claims');
  const dialog = useDialogAddress(name, claim.id);
  const button = useRef<HTMLButtonElement>(null);
  const step = useStep(claim, () => {
    flushSync(dialog.close);
    onStep();
  });

  function close() {
    flushSync(dialog.close);
    button.current?.focus();
  }

  return (
    <>
      <Button ref={button} look="quiet" className="justify-self-start px-2!" onClick={dialog.open}>
        {words.button}
      </Button>
      {dialog.isOpen && (
        <Dialog title={words.title} onClose={close}>
          <p>{words.text}</p>
          {step.error && <Banner tone="error">{failureText(step.error, t('stepFailed'), t('noAnswer'))}</Banner>}
          <ConfirmButtons
            label={words.confirm}
            isBusy={step.isPending || step.isSuccess}
            onCancel={close}
            onConfirm={() => step.mutate({ name })}
          />
        </Dialog>
      )}
    </>
  );
}
