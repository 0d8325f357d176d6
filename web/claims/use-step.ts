import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Claim } from '#contract/claims.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { type Step, showClaim, takeStep } from './api.ts';

/**
 * Takes one step in a claim. Whatever came of it, what is shown then is how the claim stands.
 * @param onTaken is called while what was pressed is still there.
 */
export function useStep(claim: Claim, onTaken: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (step: Step) => takeStep(claim.id, step),
    onSuccess(next, { name }) {
      onTaken();
      showClaim(client, next);
      if (name === 'hand-over') void client.invalidateQueries({ queryKey: queryKeys.posts.all });
    },
    // The other one, or another tab, was quicker; or the step was taken and its answer was lost.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.claims.all }),
  });
}
