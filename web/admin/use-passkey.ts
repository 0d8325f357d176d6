import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { whyNotShown } from './passkey-api.ts';

/** Something that the browser or the server does with a passkey, and the sentence for what went wrong with it. */
export function usePasskey<Input = void>(act: (input: Input) => Promise<unknown>, onDone: () => void) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const mutation = useMutation({
    mutationFn: act,
    onMutate: () => setProblem(null),
    onSuccess: onDone,
    onError(error) {
      const reason = whyNotShown(error);
      setProblem(reason ? t(reason) : describeFailure(error, t('failed')));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.admin.passkeys }),
  });
  return { problem, isBusy: mutation.isPending, act: mutation.mutate };
}
