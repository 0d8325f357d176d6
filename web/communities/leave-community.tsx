import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { CommunityPage } from '#contract/communities.ts';
import { communityMembersPath, paths } from '#web/lib/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { leaveCommunity } from './api.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useStep } from './use-step.ts';

/** The way out. The last admin goes when somebody else runs it, and whoever is alone in it closes it so. */
export function LeaveCommunity({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [isAsking, setIsAsking] = useState(false);
  const isAlone = community.member_count === 1;
  const isLastAdmin = community.member_role === 'admin' && community.admins.length === 1 && !isAlone;
  const close = () => setIsAsking(false);
  // It closes already: there is nothing more to leave.
  if (isAlone && community.closes_at !== null) return null;
  return (
    <>
      <Button look="quiet" className="justify-self-start px-2! text-danger" onClick={() => setIsAsking(true)}>
        {t('leave')}
      </Button>
      {isAsking && isLastAdmin && <LastAdmin community={community} onClose={close} />}
      {isAsking && !isLastAdmin && <LeaveDialog community={community} isAlone={isAlone} onClose={close} />}
    </>
  );
}

function LeaveDialog({
  community,
  isAlone,
  onClose,
}: {
  community: CommunityPage;
  isAlone: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('community');
  const navigate = useNavigate();
  const leaving = useStep({
    take: () => leaveCommunity(community.id),
    doneText: t(isAlone ? 'closing' : 'left', { name: community.name }),
    endsHere: !isAlone,
    onDone: (closing) => (closing ? onClose() : void navigate(paths.communities, { replace: true })),
  });
  return (
    <ConfirmDialog
      title={t('leaveTitle', { name: community.name })}
      action={t(isAlone ? 'closeIt' : 'leaveAction')}
      step={leaving}
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      <p>{t(isAlone ? 'leaveAloneText' : 'leaveText')}</p>
    </ConfirmDialog>
  );
}

/** Why the only admin cannot go yet, and where they make somebody else one. */
function LastAdmin({ community, onClose }: { community: CommunityPage; onClose: () => void }) {
  const { t } = useTranslation('community');
  return (
    <Dialog title={t('leaveTitle', { name: community.name })} onClose={onClose}>
      <p>{t('lastAdminText')}</p>
      <ButtonLink to={communityMembersPath(community.id)}>{t('openMembers')}</ButtonLink>
    </Dialog>
  );
}
