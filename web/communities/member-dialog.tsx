import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { CommunityMember, CommunityPage } from '#contract/communities.ts';
import { communityPath } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { endsOwnOffice, MEMBER_STEPS, type MemberStep, stepsFor } from './member-steps.ts';
import { RenewDialog } from './renew-dialog.tsx';
import { useStep } from './use-step.ts';

type Props = { community: CommunityPage; member: CommunityMember; onClose: () => void };
type DialogProps = Props & { onRemoved: () => void };

/** What can be done with a member; then the question whether it is meant; after a removal, whether to renew the code. */
export function MemberDialog({ community, member, onRemoved, onClose }: DialogProps) {
  const { t } = useTranslation('community');
  const [chosen, setChosen] = useState<MemberStep | 'renew' | null>(null);
  const isReader = useSession()?.userId === member.user_id;
  if (chosen === 'renew') {
    return <RenewDialog communityId={community.id} removed={member.username} onClose={onRemoved} />;
  }
  if (chosen) {
    const onTaken = chosen === 'remove' ? () => setChosen('renew') : onClose;
    return <StepDialog {...{ community, member, step: chosen, onTaken, onClose }} />;
  }
  const steps = stepsFor(member, isReader, community);
  return (
    <Dialog title={member.username} onClose={onClose}>
      {steps.length === 0 && <p>{t('lastAdminText')}</p>}
      <div className="grid gap-2">
        {steps.map((step) => (
          <Button
            key={step}
            look="secondary"
            className={step === 'remove' ? 'text-danger' : ''}
            onClick={() => setChosen(step)}
          >
            {t(`steps.${step}.action`)}
          </Button>
        ))}
        <Button look="quiet" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  );
}

function StepDialog({
  community: { id },
  member: { user_id, username: name },
  step,
  onTaken,
  onClose,
}: Props & { step: MemberStep; onTaken: () => void }) {
  const { t } = useTranslation('community');
  const navigate = useNavigate();
  const taking = useStep({
    take: () => MEMBER_STEPS[step](id, user_id),
    doneText: t(`steps.${step}.done`, { name }),
    endsHere: endsOwnOffice(step),
    onDone: () => (endsOwnOffice(step) ? void navigate(communityPath(id), { replace: true }) : onTaken()),
  });
  return (
    <ConfirmDialog
      title={t(`steps.${step}.title`, { name })}
      action={t(`steps.${step}.confirm`)}
      look={step === 'remove' ? 'danger' : 'primary'}
      step={taking}
      onConfirm={() => taking.mutate()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{t(`steps.${step}.text`, { name })}</p>
    </ConfirmDialog>
  );
}
