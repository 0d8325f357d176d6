import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { CommunityMember, CommunityPage } from '#contract/communities.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { handOver, removeMember, renewAccessCode, setRole } from '#web/communities/api.ts';
import { communityPath } from '#web/lib/paths.ts';
import { useAction } from '#web/ui/action.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/dialogs.tsx';

type MemberDialogProps = { community: CommunityPage; member: CommunityMember; onClose: () => void };
type DialogProps = MemberDialogProps & { onRemoved: () => void };

/** Lists the actions on a member, then asks for confirmation. After a removal, offers to renew the access code. */
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
}: MemberDialogProps & { step: MemberStep; onTaken: () => void }) {
  const { t } = useTranslation('community');
  const navigate = useNavigate();
  const taking = useAction({
    run: () => MEMBER_STEPS[step](id, user_id),
    done: t(`steps.${step}.done`, { name }),
    isLeaving: endsOwnOffice(step),
    onDone: () => (endsOwnOffice(step) ? void navigate(communityPath(id), { replace: true }) : onTaken()),
    stale: [queryKeys.communities.all],
  });
  return (
    <ConfirmDialog
      title={t(`steps.${step}.title`, { name })}
      action={t(`steps.${step}.confirm`)}
      look={step === 'remove' ? 'danger' : 'primary'}
      step={taking}
      problem={taking.error && failureText(taking.error, t('failed'), t('noAnswer'))}
      onConfirm={() => taking.mutate()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{t(`steps.${step}.text`, { name })}</p>
    </ConfirmDialog>
  );
}

type MemberStep = 'promote' | 'demote' | 'handOver' | 'stepDown' | 'remove';
type Take = (id: string, userId: string) => Promise<unknown>;

/** What an admin can do to a member, or to their own membership. */
const MEMBER_STEPS: Record<MemberStep, Take> = {
  promote: (id: string, userId: string) => setRole(id, userId, 'admin'),
  demote: (id: string, userId: string) => setRole(id, userId, 'member'),
  handOver,
  stepDown: (id: string) => setRole(id, 'me', 'member'),
  remove: removeMember,
};

/** Whether the user is no longer an admin of the community after this action. */
function endsOwnOffice(step: MemberStep): boolean {
  return step === 'handOver' || step === 'stepDown';
}

/**
 * Returns the possible actions on the member. The last admin cannot step down. A suspended community cannot appoint
 * admins.
 */
function stepsFor(member: CommunityMember, isReader: boolean, { admins, is_suspended }: CommunityPage): MemberStep[] {
  if (isReader) return admins.length > 1 ? ['stepDown'] : [];
  if (member.role === 'admin') return ['demote', 'remove'];
  return is_suspended ? ['remove'] : ['promote', 'handOver', 'remove'];
}

type RenewDialogProps = {
  communityId: string;
  /** The name of the member who was just removed and still knows the access code; null if nobody was removed. */
  removed?: string | null;
  onClose: () => void;
};

/** Explains that the old access code stops working, before a new one is created. */
export function RenewDialog({ communityId, removed = null, onClose }: RenewDialogProps) {
  const { t } = useTranslation('community');
  const renewing = useAction({
    run: () => renewAccessCode(communityId),
    done: t('renewed'),
    onDone: onClose,
    stale: [queryKeys.communities.all],
  });
  return (
    <ConfirmDialog
      title={t('renewTitle')}
      action={t('renew')}
      look="primary"
      step={renewing}
      problem={renewing.error && failureText(renewing.error, t('failed'), t('noAnswer'))}
      onConfirm={() => renewing.mutate()}
      onClose={onClose}
    >
      {removed !== null && <p className="wrap-anywhere">{t('renewAfterRemoval', { name: removed })}</p>}
      <p>{t('renewText')}</p>
    </ConfirmDialog>
  );
}
