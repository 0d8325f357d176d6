import type { NewPostInput } from '#contract/posts.ts';
import { getSession, onSessionChange } from '#web/api/session.ts';
import { createEvent, useStore } from '#web/lib/store.ts';

/**
 * Posts that were written offline or while the Worker was busy. Each is stored for its account, with an idempotency key
 * that makes a repeated request harmless, until the Worker accepts it or the user discards it.
 *
 * If a post fails temporarily (`canBeSentLater`), a form calls `keepForSending` and may delete its draft. Screens show
 * `<PendingPosts>`. `waiting.tsx` sends the posts while the app is open.
 */
export type PendingPost = {
  idempotencyKey: string;
  input: NewPostInput;
  writtenAt: string;
  /** The Worker's error, in the language of that time; null while the post waits. */
  refusal: string | null;
  /** The earliest time of the next try, in milliseconds, if the Worker named one; otherwise null. */
  sendAfter: number | null;
};

export const OUTBOX_PREFIX = 'outbox:';
const NONE: PendingPost[] = [];
export const outboxChanged = createEvent();
let seen: { stored: string | null; posts: PendingPost[] } = { stored: null, posts: NONE };

/** Returns the signed-in account's waiting posts, oldest first. */
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
  // Another tab may have sent it.
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
