import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminCommunity } from '#contract/admin.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { rejectCommunity } from './api.ts';
import { useDecision } from './use-decision.ts';

type Props = { community: AdminCommunity; onRejected: () => void; onClose: () => void };

/** Asks for the reason, which the creator reads as it is written. */
export function RejectDialog({ community, onRejected, onClose }: Props) {
  const { t } = useTranslation('admin');
  const [problem, setProblem] = useState<string | null>(null);
  // The community itself keeps its name and goes on.
  const isOfName = community.pending_name !== null;
  const name = community.pending_name ?? community.name;
  const rejection = useDecision({
    decide: rejectCommunity,
    doneText: t(isOfName ? 'community.nameRejectedToast' : 'rejectedToast', { name }),
    stale: [queryKeys.admin.allCommunities, queryKeys.communities.all],
    onDone: onRejected,
    onFailure: setProblem,
  });
  return (
    <ReasonDialog
      title={t(isOfName ? 'community.rejectNameTitle' : 'rejectTitle', { name })}
      text={t(isOfName ? 'community.rejectNameText' : 'rejectText')}
      label={t('reason')}
      hint={t('reasonHint')}
      action={t('reject')}
      problem={problem}
      isBusy={rejection.isPending}
      onSubmit={(reason) => {
        setProblem(null);
        rejection.mutate({ id: community.id, reason });
      }}
      onClose={onClose}
    />
  );
}
