import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useAction } from '#web/ui/action.ts';
import { showToast } from '#web/ui/toast.tsx';

/**
 * Sends an admin's decision (`useAction`).
 * @param isInDialog whether a dialog shows the failure: the dialog would cover a toast.
 */
export function useDecision<Input>({
  decide,
  doneText,
  isInDialog = false,
  ...rest
}: {
  decide: (input: Input) => Promise<unknown>;
  doneText: string;
  stale: readonly QueryKey[];
  inTurn?: string;
  onDone?: () => void;
  isInDialog?: boolean;
}) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  return useAction({
    ...rest,
    run: decide,
    done: doneText,
    onError(error) {
      if (!isInDialog) showToast.error(failureText(error, t('failed')));
      // The user is no longer an admin. Refetches the account, so that `AdminGate` closes the administration.
      if (error instanceof ApiError && error.code === 'forbidden')
        void client.invalidateQueries({ queryKey: queryKeys.me });
    },
  });
}
