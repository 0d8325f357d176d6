import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';

/** What admins do to a post of theirs, after which the lists that have it are read anew. */
export function useModeration<Input = void>({
  take,
  doneText,
  onDone,
}: {
  take: (input: Input) => Promise<unknown>;
  doneText: string;
  onDone: () => void;
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: take,
    onSuccess() {
      showToast.success(doneText);
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.posts.all }),
  });
}
