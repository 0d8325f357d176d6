import { ApiError } from '#web/api/client.ts';
import { createStore, useStore } from '#web/lib/store.ts';

/** A change that waits for the passkey. */
type Waiting = { resolve: () => void; reject: () => void };

const waiting = createStore<Waiting[]>([]);
let timesGivenUp = 0;

/**
 * Makes a change that needs an admin's second step. If the server requires the passkey, asks for it (`StepUpDialog`),
 * then retries the change.
 * @throws ApiError of the change; step_up_needed if the admin gave no passkey.
 */
export async function withStepUp<Result>(change: () => Promise<Result>): Promise<Result> {
  const before = timesGivenUp;
  try {
    return await change();
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.code === 'step_up_needed';
    // The user may have left the page before the response arrived.
    if (!isNeeded || timesGivenUp !== before) throw error;
    await new Promise<void>((resolve, reject) => {
      waiting.set([...waiting.get(), { resolve, reject: () => reject(error) }]);
    });
    return change();
  }
}

/** @param isShown whether the admin gave the passkey; if not, all waiting changes are cancelled. */
export function endStepUp(isShown: boolean): void {
  const all = waiting.get();
  if (!isShown) timesGivenUp++;
  waiting.set([]);
  for (const one of all) (isShown ? one.resolve : one.reject)();
}

export function useIsStepUpAsked(): boolean {
  return useStore(waiting, ({ length }) => length > 0);
}
