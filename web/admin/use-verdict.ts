import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';
import { type CaseStatus, carryOutVerdict, type DeletedCase, type QueuedCase, type Verdict } from './api.ts';

type Pages = InfiniteData<{ rows: (QueuedCase | DeletedCase)[]; nextCursor: string | null }>;

const DONE = {
  keep: 'queue.keptToast',
  hide: 'queue.hiddenToast',
  suspend: 'queue.suspendedToast',
  undo: 'queue.undoneToast',
} as const;

/**
 * Decides, or takes a decision back. The post stays where it stands in its list, so that nothing moves under the reader;
 * the other list is read anew.
 * @param onFailure says why it failed, where a toast would lie behind a dialog.
 */
export function useVerdict(
  list: CaseStatus,
  {
    onDone,
    onFailure = (reason) => showToast.error(reason),
  }: { onDone: () => void; onFailure?: (reason: string) => void },
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
      onFailure(describeFailure(error, t('failed')));
      void client.invalidateQueries({ queryKey: queryKeys.admin.reports(list) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin.reports(other) }),
  });
}

/** As the server has it now. */
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
