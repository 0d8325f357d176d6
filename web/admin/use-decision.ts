import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { COMMUNITIES_KEY } from '#web/lib/communities-query.ts';
import { showToast } from '#web/ui/toast.tsx';
import { ADMIN_COMMUNITIES_KEY } from './api.ts';

/**
 * A decision, after which both lists are read anew: also when another admin was quicker.
 * @param onDone is called before they are, while the community's card is still there.
 * @param onFailure says why it failed, where a toast would lie behind a dialog.
 */
export function useDecision<Input>({
  decide,
  doneText,
  onDone,
  onFailure = (reason) => showToast.error(reason),
}: {
  decide: (input: Input) => Promise<unknown>;
  doneText: string;
  onDone: () => void;
  onFailure?: (reason: string) => void;
}) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess() {
      showToast.success(doneText);
      onDone();
    },
    onError: (error) => onFailure((error instanceof ApiError && error.detail) || t('failed')),
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ADMIN_COMMUNITIES_KEY }),
        queryClient.invalidateQueries({ queryKey: COMMUNITIES_KEY }),
      ]);
    },
  });
}
