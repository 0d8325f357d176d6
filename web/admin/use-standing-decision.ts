import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';

/** Suspends or reinstates, after which all that is known of people, posts and the log is read anew. */
export function useStandingDecision<Input>({
  decide,
  doneText,
  onDone,
  onFailure = (reason) => showToast.error(reason),
}: {
  decide: (input: Input) => Promise<unknown>;
  doneText: string;
  onDone?: () => void;
  onFailure?: (reason: string) => void;
}) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess() {
      showToast.success(doneText);
      onDone?.();
    },
    onError: (error) => onFailure((error instanceof ApiError && error.detail) || t('failed')),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.admin.all }),
        client.invalidateQueries({ queryKey: queryKeys.posts.all }),
      ]),
  });
}
