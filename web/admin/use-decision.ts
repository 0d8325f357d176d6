import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';

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
        queryClient.invalidateQueries({ queryKey: queryKeys.admin.allCommunities }),
        queryClient.invalidateQueries({ queryKey: queryKeys.communities.all }),
      ]);
    },
  });
}
