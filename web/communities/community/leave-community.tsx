import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { CommunityPage } from '#contract/communities.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { leaveCommunity } from '#web/communities/api.ts';
import { communityMembersPath, paths } from '#web/lib/paths.ts';
import { useAction } from '#web/ui/action.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/dialogs.tsx';

/** Lets the user leave. The last admin must first appoint another admin. A community without members closes. */
export function LeaveCommunity({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [isAsking, setIsAsking] = useState(false);
  const isAlone = community.member_count === 1;
  const isLastAdmin = community.member_role === 'admin' && community.admins.length === 1 && !isAlone;
  const close = () => setIsAsking(false);
  // The community is already closing, so its only member need not leave.
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
  const leaving = useAction({
    run: () => leaveCommunity(community.id),
    done: t(isAlone ? 'closing' : 'left', { name: community.name }),
    isLeaving: !isAlone,
    onDone: (closing) => (closing ? onClose() : void navigate(paths.communities, { replace: true })),
    stale: [queryKeys.communities.all],
  });
  return (
    <ConfirmDialog
      title={t('leaveTitle', { name: community.name })}
      action={t(isAlone ? 'closeIt' : 'leaveAction')}
      step={leaving}
      problem={leaving.error && failureText(leaving.error, t('failed'), t('noAnswer'))}
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      <p>{t(isAlone ? 'leaveAloneText' : 'leaveText')}</p>
    </ConfirmDialog>
  );
}

/** Explains why the only admin cannot leave yet, with a link to the members. */
function LastAdmin({ community, onClose }: { community: CommunityPage; onClose: () => void }) {
  const { t } = useTranslation('community');
  return (
    <Dialog title={t('leaveTitle', { name: community.name })} onClose={onClose}>
      <p>{t('lastAdminText')}</p>
      <ButtonLink to={communityMembersPath(community.id)}>{t('openMembers')}</ButtonLink>
    </Dialog>
  );
}
