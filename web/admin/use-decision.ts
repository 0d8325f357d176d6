import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { COMMUNITIES_KEY } from '#web/lib/communities-query.ts';
import { showToast } from '#web/ui/toast.tsx';
import { ADMIN_COMMUNITIES_KEY } from './api.ts';

/** A decision, after which both lists are read anew: also when another admin was quicker. */
export function useDecision<Input>(decide: (input: Input) => Promise<unknown>, doneText: string) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: () => showToast.success(doneText),
    onError: (error) => showToast.error((error instanceof ApiError && error.detail) || t('failed')),
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ADMIN_COMMUNITIES_KEY }),
        queryClient.invalidateQueries({ queryKey: COMMUNITIES_KEY }),
      ]);
    },
  });
}
