import { useSyncExternalStore } from 'react';
import type { NewPostInput } from '#contract/posts.ts';
import { keepOnPhone } from './keep-on-phone.ts';
import { getSession, onSessionChange } from './session.ts';

/**
 * The posts that were written without a network, or while the Worker was busy. Each is kept, under the account that
 * wrote it and with the key that makes a repeated request harmless, until the Worker has it or its writer takes it back.
 *
 * A form whose post failed in a way that passes (`canBeSentLater`) calls `keepForSending` and may forget its draft; a
 * screen shows `<PendingPosts>` (web/ui), and the sending is `outbox-sender.ts`'s, which runs with the app.
 */
export type PendingPost = {
  idempotencyKey: string;
  input: NewPostInput;
  writtenAt: string;
  /** What the Worker had against it, in the language of then; null while it only waits for the network. */
  refusal: string | null;
  /** Until when a busy Worker asked to be left alone, in milliseconds; null while it only waits for the network. */
  sendAfter: number | null;
};

const PREFIX = 'outbox:';
const NONE: PendingPost[] = [];
const listeners = new Set<() => void>();
let seen: { stored: string | null; posts: PendingPost[] } = { stored: null, posts: NONE };

/** The posts of the signed-in account that wait, oldest first. */
export function readOutbox(): PendingPost[] {
  const userId = getSession()?.userId;
  const stored = userId ? localStorage.getItem(PREFIX + userId) : null;
  if (stored !== seen.stored) seen = { stored, posts: parse(stored) };
  return seen.posts;
}

export function useOutbox(): PendingPost[] {
  return useSyncExternalStore(onOutboxChange, readOutbox, () => NONE);
}

export function onOutboxChange(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may have sent it.
  window.addEventListener('storage', listener);
  const stop = onSessionChange(listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
    stop();
  };
}

/** Writes what waits of an account. @returns whether it is kept: the phone's storage may be full or forbidden. */
export function writeOutbox(posts: PendingPost[]): boolean {
  const userId = getSession()?.userId;
  if (!userId) return false;
  const key = PREFIX + userId;
  if (posts.length === 0) localStorage.removeItem(key);
  else if (!keepOnPhone(key, JSON.stringify(posts))) return false;
  for (const listener of [...listeners]) listener();
  return true;
}

function parse(stored: string | null): PendingPost[] {
  try {
    const posts: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(posts) ? posts : NONE;
  } catch {
    return NONE;
  }
}
