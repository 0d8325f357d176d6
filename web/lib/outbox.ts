import { useSyncExternalStore } from 'react';
import type { PostInput } from '#contract/posts.ts';
import { getSession, onSessionChange } from './session.ts';

/**
 * The posts that were written without a network. Each is kept, under the account that wrote it and with the key that
 * makes a repeated request harmless, until the Worker has it or its writer takes it back.
 *
 * A form that gets no answer (`ApiError` with status 0) calls `keepForSending` and may forget its draft; a screen
 * shows `<PendingPosts>` (web/ui), and the sending is `outbox-sender.ts`'s, which runs with the app.
 */
export type PendingPost = {
  idempotencyKey: string;
  input: PostInput;
  writtenAt: string;
  /** What the Worker had against it, in the language of then; null while it only waits for the network. */
  refusal: string | null;
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

/** @returns whether it is kept; false without an account, or where the phone's storage is full or forbidden. */
export function keepForSending(post: { input: PostInput; idempotencyKey: string }): boolean {
  const others = readOutbox().filter(({ idempotencyKey }) => idempotencyKey !== post.idempotencyKey);
  return write([...others, { ...post, writtenAt: new Date().toISOString(), refusal: null }]);
}

export function takeFromOutbox(idempotencyKey: string): void {
  write(readOutbox().filter((post) => post.idempotencyKey !== idempotencyKey));
}

export function refuseInOutbox(idempotencyKey: string, refusal: string): void {
  write(readOutbox().map((post) => (post.idempotencyKey === idempotencyKey ? { ...post, refusal } : post)));
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

function write(posts: PendingPost[]): boolean {
  const userId = getSession()?.userId;
  if (!userId) return false;
  try {
    if (posts.length > 0) localStorage.setItem(PREFIX + userId, JSON.stringify(posts));
    else localStorage.removeItem(PREFIX + userId);
  } catch {
    return false;
  }
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
