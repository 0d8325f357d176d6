import { useTranslation } from 'react-i18next';
import type { AdminCommunity } from '#contract/admin.ts';
import { formatDate } from '#web/lib/format.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { approveCommunity } from './api.ts';
import { useDecision } from './use-decision.ts';

type Props = { community: AdminCommunity; onApproved: () => void; onReject: () => void };

export function DecisionCard({ community, onApproved, onReject }: Props) {
  const { t } = useTranslation('admin');
  const approval = useDecision({
    decide: approveCommunity,
    doneText: t('approvedToast', { name: community.name }),
    stale: [queryKeys.admin.allCommunities, queryKeys.communities.all],
    onDone: onApproved,
  });
  return (
    <li className="card grid gap-3">
      <div className="grid gap-1">
        <h2 dir="auto" className="break-words">
          {community.name}
        </h2>
        <p className="text-muted text-sm">
          {t('createdBy', { username: community.creator_username, date: formatDate(community.created_at) })}
        </p>
        {community.approval_status === 1 && (
          <p className="text-muted text-sm">{t('memberCount', { members: formatNumber(community.member_count) })}</p>
        )}
      </div>
      {community.description && (
        <p dir="auto" className="whitespace-pre-line break-words">
          {community.description}
        </p>
      )}
      {community.approval_status === 0 && (
        <div className="flex flex-wrap gap-2">
          <Button icon="check" isBusy={approval.isPending} onClick={() => approval.mutate(community)}>
            {t('approve')}
          </Button>
          <Button look="secondary" icon="close" isLocked={approval.isPending} onClick={onReject}>
            {t('reject')}
          </Button>
        </div>
      )}
    </li>
  );
}
