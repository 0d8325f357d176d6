import { ApiError } from '#web/api/client.ts';
import { createStore, useStore } from '#web/lib/store.ts';

/** A change that waits for the passkey. */
type Waiting = { resolve: () => void; reject: () => void };

const waiting = createStore<Waiting[]>([]);
let timesGivenUp = 0;

/**
 * Makes a change for which the server may require the admin's passkey. If the server requires it, asks for the passkey
 * (`StepUpDialog`), then retries the change.
 * @throws the change's ApiError; its code is step_up_needed if the admin gave no passkey.
 */
export async function withStepUp<Result>(change: () => Promise<Result>): Promise<Result> {
  const before = timesGivenUp;
  try {
    return await change();
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.code === 'step_up_needed';
    // If `timesGivenUp` has changed, the admin has closed the dialog or left the page during the request. The change
    // then fails without asking for the passkey again.
    if (!isNeeded || timesGivenUp !== before) throw error;
    await new Promise<void>((resolve, reject) => {
      waiting.set([...waiting.get(), { resolve, reject: () => reject(error) }]);
    });
    return change();
  }
}

/** Retries all waiting changes, or cancels them. @param isShown whether the admin gave the passkey. */
export function endStepUp(isShown: boolean): void {
  const all = waiting.get();
  if (!isShown) timesGivenUp++;
  waiting.set([]);
  for (const one of all) (isShown ? one.resolve : one.reject)();
}

export function useIsStepUpAsked(): boolean {
  return useStore(waiting, ({ length }) => length > 0);
}
