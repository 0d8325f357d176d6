const TAKE_OVER_TIMEOUT_MS = 5_000;

/**
 * Lets the version that waits take over, if one does. The caller then loads the page again.
 * @param isNewest whether to look for a still newer one first, which takes long on a slow line.
 * @returns once it has, or soon after where it will not.
 */
export async function takeNewVersion(isNewest: boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return;
  if (isNewest || !registration.waiting) await registration.update().catch(() => undefined);
  const next = registration.waiting ?? (registration.installing && (await whenInstalled(registration.installing)));
  if (!next) return;
  const hasTakenOver = new Promise<void>((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
    setTimeout(resolve, TAKE_OVER_TIMEOUT_MS);
  });
  next.postMessage({ type: 'take-over' });
  await hasTakenOver;
}

/** @returns the worker once it waits for its turn, null when it could not be installed. */
export function whenInstalled(worker: ServiceWorker): Promise<ServiceWorker | null> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'redundant') resolve(null);
      else if (worker.state !== 'installing') resolve(worker);
    };
    worker.addEventListener('statechange', look);
    look();
  });
}
