import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { AcceptedClaim } from './accepted-claim.tsx';
import { DeclineAccepted } from './decline-accepted.tsx';
import { DeclinedClaim } from './declined-claim.tsx';
import { FinderAnswers } from './finder-answers.tsx';
import { Receipt } from './receipt.tsx';
import { StandingNote } from './standing-note.tsx';
import { ThreadForm } from './thread-form.tsx';
import { WithdrawClaim } from './withdraw-claim.tsx';

type Props = { claim: Claim; onStep: () => void };

/** The claim's current state for this reader, and the steps that are theirs now. */
export function ClaimStanding(props: Props) {
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

/** The post is hidden: only the steps are left that end the claim, and a reply to a question. */
function PausedClaim({ claim, onStep }: Props) {
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

function Claiming({ claim, onStep }: Props) {
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
