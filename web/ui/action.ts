import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from './toast.tsx';

/**
 * Runs an action, shows a toast after success, and refetches stale queries. Refetches after a failure too, because
 * another user may have changed the data first.
 * @param done the toast's text.
 * @param stale the keys of the queries to refetch.
 * @param inTurn a name: actions with the same name run one after the other.
 * @param onDone is called before the refetch, while the pressed button is still on the screen.
 * @param isLeaving whether the action also leaves the screen. The queries are then not refetched.
 */
export function useAction<Input = void, Answer = unknown>({
  run,
  done,
  stale,
  inTurn,
  onDone,
  onError,
  isLeaving = false,
}: {
  run: (input: Input) => Promise<Answer>;
  done?: string;
  stale: readonly QueryKey[];
  inTurn?: string;
  onDone?: (answer: Answer) => void;
  onError?: (error: Error) => void;
  isLeaving?: boolean;
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    ...(inTurn !== undefined && { scope: { id: inTurn } }),
    onSuccess(answer) {
      if (done) showToast.success(done);
      onDone?.(answer);
    },
    onError: (error: Error) => onError?.(error),
    onSettled: (_answer, error) => {
      const refetchType = isLeaving && !error ? 'none' : 'active';
      return Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey, refetchType })));
    },
  });
}
