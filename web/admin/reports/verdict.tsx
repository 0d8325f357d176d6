import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { type CaseStatus, carryOutVerdict, type DeletedCase, type QueuedCase, type Verdict } from '#web/admin/api.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** Decisions that need a reason, which the author reads. */
export type HarshVerdict = 'hide' | 'suspend';

type Props = { entry: QueuedCase; verdict: HarshVerdict; list: CaseStatus; onClose: () => void };

export function HarshDialog({ entry, verdict: kind, list, onClose }: Props) {
  const { t } = useTranslation('admin');
  const verdict = useVerdict(list, {
    onDone() {
      // Closes the dialog first: otherwise the dialog would return the focus to a button that has been removed.
      flushSync(onClose);
      document.querySelector<HTMLElement>(`[aria-labelledby="case-${entry.id}"]`)?.focus();
    },
    isInDialog: true,
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
      saving={verdict}
      failed={t('failed')}
      onSubmit={(reason) => verdict.mutate({ entry, kind, reason })}
      onClose={onClose}
    />
  );
}

type Pages = InfiniteData<{ rows: (QueuedCase | DeletedCase)[]; nextCursor: string | null }>;

const DONE = {
  keep: 'queue.keptToast',
  hide: 'queue.hiddenToast',
  suspend: 'queue.suspendedToast',
  undo: 'queue.undoneToast',
} as const;

/**
 * Carries out or undoes a decision. The case stays in its place in the list on the screen. The list of the other
 * status (open or decided) is refetched.
 * @param isInDialog whether a dialog shows the failure: the dialog would cover a toast.
 */
export function useVerdict(
  list: CaseStatus,
  { onDone, isInDialog = false }: { onDone: () => void; isInDialog?: boolean },
) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const other = list === 'open' ? 'decided' : 'open';
  return useMutation({
    mutationFn: carryOutVerdict,
    onSuccess(_answer, verdict) {
      const change = (row: QueuedCase | DeletedCase) =>
        row.id === verdict.entry.id && row.decision !== 'post_deleted' ? afterVerdict(row, verdict) : row;
      client.setQueryData<Pages>(
        queryKeys.admin.reports(list),
        (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: page.rows.map(change) })) },
      );
      showToast.success(t(DONE[verdict.kind]));
      onDone();
    },
    onError(error) {
      if (!isInDialog) showToast.error(failureText(error, t('failed')));
      void client.invalidateQueries({ queryKey: queryKeys.admin.reports(list) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.reports(other) }),
  });
}

/** Returns the case as the server now stores it. */
function afterVerdict(row: QueuedCase, { kind }: Verdict): QueuedCase {
  const now = new Date().toISOString();
  const { isSuspendedWithIt: _gone, ...plain } = row;
  if (kind === 'undo') {
    const author = row.isSuspendedWithIt ? { ...row.author, is_suspended: false } : row.author;
    return { ...plain, author, status: 'open', decision: null, decided_at: null };
  }
  const decided = { ...plain, status: 'decided', since: now, decided_at: now } as const;
  if (kind === 'keep') return { ...decided, decision: 'restored' };
  if (kind === 'hide') return { ...decided, decision: 'hidden' };
  return { ...decided, decision: 'hidden', author: { ...row.author, is_suspended: true }, isSuspendedWithIt: true };
}
