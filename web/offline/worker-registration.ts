import { HOUR_MS } from '#contract/durations.ts';
import { whenInstalled } from '#web/lib/new-version.ts';
import { savesData } from '#web/lib/saves-data.ts';
import { getSession } from '#web/lib/session.ts';

const ADDRESS = '/service-worker.js';
/** A page may stand open for days. */
const UPDATE_CHECK_MS = HOUR_MS;

/**
 * Registers the service worker.
 * @param onNewVersion called when a new version is here and waits for its reader's word.
 * @returns what ends the listening.
 */
export function registerWorker(onNewVersion: () => void): () => void {
  const worker = navigator.serviceWorker;
  if (!worker) return () => undefined;
  const stopped = new AbortController();

  async function start(): Promise<void> {
    const registration = await worker.register(ADDRESS, { updateViaCache: 'none' });
    const announce = () => {
      if (!stopped.signal.aborted && registration.waiting && worker.controller) onNewVersion();
    };
    announce();
    registration.addEventListener(
      'updatefound',
      () => {
        if (registration.installing) void whenInstalled(registration.installing).then(announce);
      },
      { signal: stopped.signal },
    );
    const check = setInterval(() => void registration.update().catch(() => undefined), UPDATE_CHECK_MS);
    stopped.signal.addEventListener('abort', () => clearInterval(check));
    keepForLater((await worker.ready).active);
    // Of somebody who signed out before the app could end them. Whoever is signed in has errands.tsx for it.
    if (getSession() === null && 'Notification' in window && Notification.permission === 'granted') {
      await (await import('#web/lib/push-subscription.ts')).settlePushes();
    }
  }

  // Private windows and full disks have no workers; the app does without.
  start().catch((error: unknown) => console.warn('No service worker:', error));
  return () => stopped.abort();
}

/** Has the worker keep what this visit has loaded and, for those who may post, what posting without a network takes. */
function keepForLater(worker: ServiceWorker | null): void {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  const urls = loaded.filter(({ origin }) => origin === window.location.origin).map(({ pathname }) => pathname);
  worker?.postMessage({ type: 'keep', urls });
  if (getSession() && !savesData()) worker?.postMessage({ type: 'keep-all' });
}
