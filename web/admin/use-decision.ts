import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';

/**
 * A decision, after which what it makes stale is read anew: also when another admin was quicker.
 * @param inTurn those of one name wait for each other.
 * @param onDone is called before that, while what was decided about is still there.
 * @param onFailure says why it failed, where a toast would lie behind a dialog.
 */
export function useDecision<Input>({
  decide,
  doneText,
  stale,
  inTurn,
  onDone,
  onFailure = (reason) => showToast.error(reason),
}: {
  decide: (input: Input) => Promise<unknown>;
  doneText: string;
  stale: readonly QueryKey[];
  inTurn?: string;
  onDone?: () => void;
  onFailure?: (reason: string) => void;
}) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    ...(inTurn !== undefined && { scope: { id: inTurn } }),
    onSuccess() {
      showToast.success(doneText);
      onDone?.();
    },
    onError(error) {
      onFailure(describeFailure(error, t('failed')));
      // No admin any more: the gate closes the administration.
      if (error instanceof ApiError && error.code === 'forbidden')
        void queryClient.invalidateQueries({ queryKey: queryKeys.me });
    },
    onSettled: () => Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
