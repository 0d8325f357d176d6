import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPerson } from '#contract/admin.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { suspendPerson } from './api.ts';
import { useDecision } from './use-decision.ts';

/** Asks for the reason, which the person reads as it is written. */
export function SuspendDialog({ person, onClose }: { person: AdminPerson; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const [problem, setProblem] = useState<string | null>(null);
  const suspending = useDecision({
    decide: suspendPerson,
    doneText: t('suspendedToast', { name: person.username }),
    stale: [queryKeys.admin.all, queryKeys.posts.all],
    onDone: onClose,
    onFailure: setProblem,
  });
  return (
    <ReasonDialog
      title={t('suspendTitle', { name: person.username })}
      text={t('suspendText')}
      label={t('reason')}
      hint={t('suspendHint')}
      action={t('suspend')}
      problem={problem}
      isBusy={suspending.isPending}
      onSubmit={(reason) => {
        setProblem(null);
        suspending.mutate({ id: person.id, reason });
      }}
      onClose={onClose}
    />
  );
}
