import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { SafeMeeting } from '#web/ui/safe-meeting.tsx';
import { DeclineAccepted } from './decline-accepted.tsx';
import { HandOverForm } from './hand-over-form.tsx';
import { OtherNumber } from './other-number.tsx';
import { WithdrawClaim } from './withdraw-claim.tsx';

/** The two can reach each other, meet safely, and seal the hand-over with the owner's code. */
export function AcceptedClaim({ claim, onStep }: { claim: Claim; onStep: () => void }) {
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

/** Large, to be read out across a counter; a screen reader says digit by digit. */
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
