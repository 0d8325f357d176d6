import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { AcceptedClaim } from './accepted-claim.tsx';
import { DeclinedClaim } from './declined-claim.tsx';
import { FinderAnswers } from './finder-answers.tsx';
import { Receipt } from './receipt.tsx';
import { StandingNote } from './standing-note.tsx';
import { ThreadForm } from './thread-form.tsx';
import { WithdrawClaim } from './withdraw-claim.tsx';

type Props = { claim: Claim; onStep: () => void };

/** How the claim stands for this reader, and the steps that are theirs now. */
export function ClaimStanding(props: Props) {
  const { t } = useTranslation('claims');
  const { role, status } = props.claim;
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
