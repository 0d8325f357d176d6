import { MINUTE_MS } from '#contract/durations.ts';

const TAKE_OVER_TIMEOUT_MS = 5_000;

/**
 * Activates the waiting service worker, if there is one. The caller then reloads the page.
 * @param isNewest whether to look for a newer version first, which takes long on a poor connection.
 * @returns once the new worker is active, or after a timeout.
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

/** @returns the worker once it is installed, or null if the installation failed. */
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

const RELOADED_KEY = 'reloadedForChunk';
/** The minimum time between two automatic reloads. Without this limit, a failing page would reload endlessly. */
const GUARD_MS = MINUTE_MS;

/** Returns whether the error means that a screen's code did not load, because of a deployment or a failed network. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message)
  );
}

/**
 * Requests the file that the browser could not load. If a deployment has replaced the file, the file's address returns
 * a 404, or the app's HTML page instead of a script.
 * @returns null if the server does not respond.
 */
export async function findChunk(error: unknown): Promise<'served' | 'replaced' | null> {
  if (!isChunkError(error) || !navigator.onLine) return null;
  // In Safari, the error does not contain the file's address. This function then requests the home page, whose response
  // shows only that the server can be reached.
  const url = /https?:\S+|\/assets\/\S+/.exec((error as Error).message)?.[0];
  try {
    const { ok, headers } = await fetch(url ?? '/', { method: 'HEAD', cache: 'no-store' });
    return ok && !headers.get('Content-Type')?.startsWith('text/html') ? 'served' : 'replaced';
  } catch {
    return null;
  }
}

/** Reloads the page with the newest version, unless a reload has just happened. @returns whether the page reloads. */
export function reloadOnce(reload: () => void = () => window.location.reload()): boolean {
  const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
  if (Date.now() - last < GUARD_MS) return false;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  void takeNewVersion(true).finally(reload);
  return true;
}
