import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminCommunity } from '#contract/admin.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { approveCommunity, reinstateCommunity } from './api.ts';
import { AppointAdmin } from './appoint-admin.tsx';
import { CommunityAsker } from './community-asker.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { useDecision } from './use-decision.ts';

type Props = { community: AdminCommunity; onApproved: () => void; onReject: () => void };

/** A community with what a decision on it, or on its new name, needs. */
export function DecisionCard({ community, onApproved, onReject }: Props) {
  const { t } = useTranslation('admin');
  const { name, description, approval_status, pending_name, closes_at } = community;
  const isOpen = approval_status === 1;
  return (
    <li className="card grid gap-3">
      <div className="grid gap-1">
        <h2 dir="auto" className="break-words">
          {name}
        </h2>
        {pending_name !== null && (
          <p className="wrap-anywhere font-semibold">{t('community.newName', { name: pending_name })}</p>
        )}
        <p className="text-muted text-sm">
          {t('createdBy', { username: community.creator_username, date: formatDate(community.created_at) })}
        </p>
        {isOpen && (
          <p className="text-muted text-sm">{t('memberCount', { members: formatNumber(community.member_count) })}</p>
        )}
        {closes_at !== null && <p className="text-lost">{t('community.closesOn', { date: formatDate(closes_at) })}</p>}
      </div>
      {description ? (
        <p dir="auto" className="whitespace-pre-line break-words">
          {description}
        </p>
      ) : (
        !isOpen && <p className="text-muted">{t('community.noDescription')}</p>
      )}
      {!community.has_admin && <AppointAdmin community={community} />}
      {(!isOpen || pending_name !== null) && <Decision {...{ community, onApproved, onReject }} />}
      {isOpen && <Suspension community={community} />}
    </li>
  );
}

function Decision({ community, onApproved, onReject }: Props) {
  const { t } = useTranslation('admin');
  const { name, pending_name } = community;
  const approval = useDecision({
    decide: approveCommunity,
    doneText:
      pending_name === null ? t('approvedToast', { name }) : t('community.renamedToast', { name: pending_name }),
    stale: [queryKeys.admin.allCommunities, queryKeys.communities.all],
    onDone: onApproved,
  });
  return (
    <>
      <CommunityAsker community={community} />
      <div className="flex flex-wrap gap-2">
        <Button icon="check" isBusy={approval.isPending} onClick={() => approval.mutate(community)}>
          {t(pending_name === null ? 'approve' : 'community.approveName')}
        </Button>
        <Button look="secondary" icon="close" isLocked={approval.isPending} onClick={onReject}>
          {t(pending_name === null ? 'reject' : 'community.rejectName')}
        </Button>
      </div>
    </>
  );
}

/** Suspends the community, or reinstates it and says since when and why it is suspended. */
function Suspension({ community: { id, name, suspended_at, suspension_reason } }: { community: AdminCommunity }) {
  const { t } = useTranslation('admin');
  const [isAsking, setIsAsking] = useState(false);
  const reinstating = useDecision({
    decide: reinstateCommunity,
    doneText: t('community.reinstatedToast', { name }),
    stale: [queryKeys.admin.all, queryKeys.posts.all, queryKeys.communities.all],
  });
  const isSuspended = suspended_at !== null;
  return (
    <>
      {isSuspended && (
        <div className="grid gap-1">
          <p className="text-lost">{t('community.suspendedSince', { time: formatDateTime(suspended_at) })}</p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {t('suspendedBecause', { reason: suspension_reason ?? '' })}
          </p>
        </div>
      )}
      {/* One button for both, which keeps the focus. */}
      <Button
        look={isSuspended ? 'primary' : 'secondary'}
        className={`justify-self-start ${isSuspended ? '' : 'text-danger'}`}
        aria-label={t(isSuspended ? 'community.reinstateNamed' : 'community.suspendNamed', { name })}
        isBusy={reinstating.isPending}
        onClick={() => (isSuspended ? reinstating.mutate(id) : setIsAsking(true))}
      >
        {t(isSuspended ? 'community.reinstate' : 'suspend')}
      </Button>
      {isAsking && <SuspendDialog kind="community" id={id} name={name} onClose={() => setIsAsking(false)} />}
    </>
  );
}
