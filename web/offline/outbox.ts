import type { NewPostInput } from '#contract/posts.ts';
import { getSession, onSessionChange } from '#web/api/session.ts';
import { createEvent, useStore } from '#web/lib/store.ts';

/**
 * A post that was written offline or while the Worker was busy. It is stored for its account until the Worker accepts
 * it or the user discards it. Its idempotency key prevents duplicates.
 * If sending fails temporarily (`canBeSentLater`), a form calls `keepForSending` and may delete its draft.
 * `<PendingPosts>` shows the posts. `waiting.tsx` sends them while the app is open.
 */
export type PendingPost = {
  idempotencyKey: string;
  input: NewPostInput;
  writtenAt: string;
  /** Why the Worker refused the post, in the app's language at that time; null if the post is still to be sent. */
  refusal: string | null;
  /** The earliest time of the next try, in milliseconds, if the Worker asked for a wait; otherwise null. */
  sendAfter: number | null;
};

export const OUTBOX_PREFIX = 'outbox:';
const NONE: PendingPost[] = [];
export const outboxChanged = createEvent();
let seen: { stored: string | null; posts: PendingPost[] } = { stored: null, posts: NONE };

/** Returns the signed-in account's unsent posts, oldest first. */
export function readOutbox(): PendingPost[] {
  const userId = getSession()?.userId;
  const stored = userId ? localStorage.getItem(OUTBOX_PREFIX + userId) : null;
  if (stored !== seen.stored) seen = { stored, posts: parse(stored) };
  return seen.posts;
}

export function useOutbox(): PendingPost[] {
  return useStore({ none: NONE, get: readOutbox, on: onOutboxChange });
}

export function onOutboxChange(listener: () => void): () => void {
  const stops = [outboxChanged.on(listener), onSessionChange(listener)];
  // Another tab may have changed the outbox.
  window.addEventListener('storage', listener);
  return () => {
    for (const stop of stops) stop();
    window.removeEventListener('storage', listener);
  };
}

function parse(stored: string | null): PendingPost[] {
  try {
    const posts: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(posts) ? posts : NONE;
  } catch {
    return NONE;
  }
}
