import { useSyncExternalStore } from 'react';

// Apart from the notices' own code, which a visitor never loads, so that the bell can be in the first page's.

let count = 0;
const listeners = new Set<() => void>();

/** What the bell shows; set by the notices once they are loaded. */
export function setUnreadNotices(unread: number): void {
  if (unread === count) return;
  count = unread;
  for (const listener of [...listeners]) listener();
}

export function useUnreadNotices(): number {
  return useSyncExternalStore(
    subscribe,
    () => count,
    () => 0,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
