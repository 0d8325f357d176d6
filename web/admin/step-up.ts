import { useSyncExternalStore } from 'react';
import { ApiError } from '#web/lib/api-client.ts';

/** What waits for a passkey to be shown. */
type Waiting = { resolve: () => void; reject: () => void };

let waiting: Waiting[] = [];
let timesGivenUp = 0;
const listeners = new Set<() => void>();

/**
 * Makes a change that needs an admin's second step: where the passkey is still to be shown it is asked for
 * (`StepUpDialog`), and the change is made after that.
 * @throws ApiError of the change, step_up_needed too when no passkey was shown.
 */
export async function withStepUp<Result>(change: () => Promise<Result>): Promise<Result> {
  const before = timesGivenUp;
  try {
    return await change();
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.code === 'step_up_needed';
    // The page may have been left before the answer came.
    if (!isNeeded || timesGivenUp !== before) throw error;
    await new Promise<void>((resolve, reject) => {
      setWaiting([...waiting, { resolve, reject: () => reject(error) }]);
    });
    return change();
  }
}

/** @param isShown whether a passkey was; else what waits is given up. */
export function endStepUp(isShown: boolean): void {
  const all = waiting;
  if (!isShown) timesGivenUp++;
  setWaiting([]);
  for (const one of all) (isShown ? one.resolve : one.reject)();
}

export function useIsStepUpAsked(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.length > 0);
}

function setWaiting(next: Waiting[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
