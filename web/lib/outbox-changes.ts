import type { NewPostInput } from '#contract/posts.ts';
import { ApiError } from './api-client.ts';
import { type PendingPost, readOutbox, writeOutbox } from './outbox.ts';
import { getSession } from './session.ts';
import { withPhotos } from './with-photos.ts';

// Apart from the outbox itself, which every visit reads and few change.

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
  return writeOutbox([...others, { ...post, writtenAt: new Date().toISOString(), refusal: null, sendAfter }]);
}

/** The Worker is busy, or has had enough of this account for now. */
export function postponeInOutbox(idempotencyKey: string, retryAfterMs: number | null): void {
  change(idempotencyKey, { sendAfter: toTime(retryAfterMs) });
}

/** With the photos that wait with it; those of a post that was sent are at the post by then. */
export function takeFromOutbox(idempotencyKey: string): void {
  void withPhotos(({ forgetPhotos, inOutbox }) => forgetPhotos(({ place }) => place === inOutbox(idempotencyKey)));
  writeOutbox(readOutbox().filter((post) => post.idempotencyKey !== idempotencyKey));
}

/** @returns whether it is kept so, and not sent again at once. */
export function refuseInOutbox(idempotencyKey: string, refusal: string): boolean {
  return change(idempotencyKey, { refusal });
}

/** For who leaves the phone and has been told what goes with it. */
export function emptyOutbox(): void {
  const own = getSession()?.userId;
  void withPhotos(({ forgetPhotos }) => forgetPhotos(({ userId }) => userId !== null && userId === own));
  writeOutbox([]);
}

function toTime(retryAfterMs: number | null): number | null {
  return retryAfterMs === null ? null : Date.now() + retryAfterMs;
}

function change(idempotencyKey: string, changes: Partial<PendingPost>): boolean {
  return writeOutbox(
    readOutbox().map((post) => (post.idempotencyKey === idempotencyKey ? { ...post, ...changes } : post)),
  );
}
