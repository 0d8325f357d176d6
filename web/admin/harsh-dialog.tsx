import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import type { CaseStatus, QueuedCase } from './api.ts';
import { useVerdict } from './use-verdict.ts';

/** What somebody is told the reason of. */
export type HarshVerdict = 'hide' | 'suspend';

type Props = { entry: QueuedCase; verdict: HarshVerdict; list: CaseStatus; onClose: () => void };

export function HarshDialog({ entry, verdict: kind, list, onClose }: Props) {
  const { t } = useTranslation('admin');
  const [problem, setProblem] = useState<string | null>(null);
  const verdict = useVerdict(list, {
    onDone() {
      // The dialog gives the focus back to a button that is gone by then.
      flushSync(onClose);
      document.querySelector<HTMLElement>(`[aria-labelledby="case-${entry.id}"]`)?.focus();
    },
    onFailure: setProblem,
  });
  const [newest] = entry.reports;
  const known = newest && newest.reason !== 'other' ? t(`queue.hideReasons.${newest.reason}`) : '';
  const isHiding = kind === 'hide';
  return (
    <ReasonDialog
      title={
        isHiding
          ? t('queue.hideTitle', { title: entry.post.title })
          : t('queue.suspendTitle', { username: entry.author.username })
      }
      text={t(isHiding ? 'queue.hideText' : 'queue.suspendText')}
      label={t('reason')}
      hint={t('reasonHint')}
      action={t(isHiding ? 'queue.hide' : 'queue.suspend')}
      initial={known}
      problem={problem}
      isBusy={verdict.isPending}
      onSubmit={(reason) => {
        setProblem(null);
        verdict.mutate({ entry, kind, reason });
      }}
      onClose={onClose}
    />
  );
}
