import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Whether the phone reports a network, which does not guarantee a connection to the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      window.addEventListener('online', onChange);
      window.addEventListener('offline', onChange);
      return () => {
        window.removeEventListener('online', onChange);
        window.removeEventListener('offline', onChange);
      };
    },
    () => navigator.onLine,
    () => true,
  );
}

/** Retries a failed request when the network returns. */
export function useRetryOnline(hasFailed: boolean, retry: () => void): void {
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    if (!hasFailed) return;
    const onOnline = () => latest.current();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [hasFailed]);
}

/** Whether a setting of the phone or the browser asks for less data traffic. */
export function savesData(): boolean {
  // `connection` is missing in some browsers and in TypeScript's own types.
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true || (globalThis.matchMedia?.('(prefers-reduced-data: reduce)').matches ?? false);
}
