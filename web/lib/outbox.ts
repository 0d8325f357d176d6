import { useSyncExternalStore } from 'react';
import type { NewPostInput } from '#contract/posts.ts';
import { ApiError } from './api-client.ts';
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

/** Whether a post that failed so will go through by itself: once there is a network, or when the Worker says to come back. */
export function canBeSentLater(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.status === 503 ? error.retryAfterMs !== null : error.status === 0 && !navigator.onLine;
}

/** @returns whether it is kept; false without an account, or where the phone's storage is full or forbidden. */
export function keepForSending(
  post: { input: NewPostInput; idempotencyKey: string },
  { retryAfterMs }: Pick<ApiError, 'retryAfterMs'>,
): boolean {
  const others = readOutbox().filter(({ idempotencyKey }) => idempotencyKey !== post.idempotencyKey);
  const sendAfter = toTime(retryAfterMs);
  return write([...others, { ...post, writtenAt: new Date().toISOString(), refusal: null, sendAfter }]);
}

/** The Worker is busy, or has had enough of this account for now. */
export function postponeInOutbox(idempotencyKey: string, retryAfterMs: number | null): void {
  change(idempotencyKey, { sendAfter: toTime(retryAfterMs) });
}

export function takeFromOutbox(idempotencyKey: string): void {
  write(readOutbox().filter((post) => post.idempotencyKey !== idempotencyKey));
}

export function refuseInOutbox(idempotencyKey: string, refusal: string): void {
  change(idempotencyKey, { refusal });
}

/** For who leaves the phone and has been told what goes with it. */
export function emptyOutbox(): void {
  write([]);
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

function toTime(retryAfterMs: number | null): number | null {
  return retryAfterMs === null ? null : Date.now() + retryAfterMs;
}

function change(idempotencyKey: string, changes: Partial<PendingPost>): void {
  write(readOutbox().map((post) => (post.idempotencyKey === idempotencyKey ? { ...post, ...changes } : post)));
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
