import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useAction } from '#web/ui/action.ts';
import { showToast } from '#web/ui/toast.tsx';

/**
 * Sends an admin's decision (`useAction`).
 * @param onFailure receives the error's text, for a dialog that would cover a toast.
 */
export function useDecision<Input>({
  decide,
  doneText,
  onFailure = (reason) => showToast.error(reason),
  ...rest
}: {
  decide: (input: Input) => Promise<unknown>;
  doneText: string;
  stale: readonly QueryKey[];
  inTurn?: string;
  onDone?: () => void;
  onFailure?: (reason: string) => void;
}) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  return useAction({
    ...rest,
    run: decide,
    done: doneText,
    onError(error) {
      onFailure(failureText(error, t('failed')));
      // The user is no longer an admin: the gate closes the administration.
      if (error instanceof ApiError && error.code === 'forbidden')
        void client.invalidateQueries({ queryKey: queryKeys.me });
    },
  });
}
