import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';

/**
 * A step that changes a community, after which everything of communities is read anew: also when somebody else was
 * quicker.
 * @param doneText says afterwards what was done.
 * @param onDone is called before that, while what was pressed is still there.
 * @param endsHere whether it takes its reader away: what this screen shows is not theirs to read any more, and is asked
 * for by the next one that shows it.
 */
export function useStep<Input, Answer>({
  take,
  doneText,
  onDone,
  endsHere = false,
}: {
  take: (input: Input) => Promise<Answer>;
  doneText?: string;
  onDone?: (answer: Answer) => void;
  endsHere?: boolean;
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: take,
    onSuccess(answer) {
      if (doneText) showToast.success(doneText);
      onDone?.(answer);
    },
    onSettled: (_answer, error) =>
      client.invalidateQueries({
        queryKey: queryKeys.communities.all,
        refetchType: endsHere && !error ? 'none' : 'active',
      }),
  });
}
