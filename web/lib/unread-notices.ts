import { useSyncExternalStore } from 'react';

// Apart from the notices' own code, which a visitor never loads, so that the bell can be in the first page's.

/** `claims`: those that wait for the reader of which no unread notice tells. */
type Waiting = { notices: number; claims: number };
const NONE: Waiting = { notices: 0, claims: 0 };

let waiting = NONE;
const listeners = new Set<() => void>();

/** What the bell shows; set by the notices once they are loaded. */
export function setUnreadNotices(notices: number, claims: number): void {
  if (notices === waiting.notices && claims === waiting.claims) return;
  waiting = { notices, claims };
  for (const listener of [...listeners]) listener();
}

export function useUnreadNotices(): Waiting {
  return useSyncExternalStore(
    subscribe,
    () => waiting,
    () => NONE,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
