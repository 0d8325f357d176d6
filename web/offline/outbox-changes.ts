import type { NewPostInput } from '#contract/posts.ts';
import { ApiError } from '#web/api/client.ts';
import { getSession } from '#web/api/session.ts';
import { keepOnPhone } from '#web/lib/phone-storage.ts';
import { OUTBOX_PREFIX, outboxChanged, type PendingPost, readOutbox } from './outbox.ts';
import { hasPhotos } from './photos-here.ts';

// The functions that change the outbox. They are not in outbox.ts, because every visit loads outbox.ts, but few visits
// change the outbox.

/** Whether sending the post can succeed later: with a network, or after the wait that the Worker asked for. */
export function canBeSentLater(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.status === 503 ? error.retryAfterMs !== null : error.status === 0 && !navigator.onLine;
}

/** Stores a post to be sent later. @returns false if nobody is signed in, or if the storage is full or forbidden. */
export function keepForSending(
  post: { input: NewPostInput; idempotencyKey: string },
  { retryAfterMs }: Pick<ApiError, 'retryAfterMs'>,
): boolean {
  const others = readOutbox().filter(({ idempotencyKey }) => idempotencyKey !== post.idempotencyKey);
  const sendAfter = toTime(retryAfterMs);
  return writeOutbox([...others, { ...post, writtenAt: new Date().toISOString(), refusal: null, sendAfter }]);
}

/** Delays the post, because the Worker is busy or limits this account. */
export function postponeInOutbox(idempotencyKey: string, retryAfterMs: number | null): void {
  change(idempotencyKey, { sendAfter: toTime(retryAfterMs) });
}

/** Removes the post and its photos. If the post was sent, its photos have already been moved to the created post. */
export function takeFromOutbox(idempotencyKey: string): void {
  void withPhotos(({ forgetPhotos, inOutbox }) => forgetPhotos(({ place }) => place === inOutbox(idempotencyKey)));
  writeOutbox(readOutbox().filter((post) => post.idempotencyKey !== idempotencyKey));
}

/** Marks the post as refused. @returns false if the mark could not be stored. */
export function refuseInOutbox(idempotencyKey: string, refusal: string): boolean {
  return change(idempotencyKey, { refusal });
}

/** Deletes all unsent posts and photos of the account, after the user has confirmed the deletion when logging out. */
export function emptyOutbox(): void {
  const own = getSession()?.userId;
  void withPhotos(({ forgetPhotos }) => forgetPhotos(({ userId }) => userId !== null && userId === own));
  writeOutbox([]);
}

/** Stores the account's unsent posts. @returns false if the phone's storage is full or forbidden. */
export function writeOutbox(posts: PendingPost[]): boolean {
  const userId = getSession()?.userId;
  if (!userId) return false;
  const key = OUTBOX_PREFIX + userId;
  if (posts.length === 0) localStorage.removeItem(key);
  else if (!keepOnPhone(key, JSON.stringify(posts))) return false;
  outboxChanged.emit();
  return true;
}

function toTime(retryAfterMs: number | null): number | null {
  return retryAfterMs === null ? null : Date.now() + retryAfterMs;
}

function change(idempotencyKey: string, changes: Partial<PendingPost>): boolean {
  return writeOutbox(
    readOutbox().map((post) => (post.idempotencyKey === idempotencyKey ? { ...post, ...changes } : post)),
  );
}

/** Loads photo-queue.ts and calls `act` with this module, if the phone stores unsent photos. */
export async function withPhotos(act: (photos: typeof import('./photo-queue.ts')) => Promise<void>): Promise<void> {
  if (hasPhotos()) await act(await import('./photo-queue.ts'));
}

/**
 * Whether the error means that the idempotency key has already created a post, which was later deleted. To create the
 * post again, the user's form needs a new key.
 */
export function isKeySpent(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'idempotency_conflict';
}

/**
 * Whether the error means that an earlier attempt with the same idempotency key created a post. The response to that
 * attempt was lost, and the user then changed the post's text.
 */
export function hasComeThrough(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'idempotency_mismatch';
}
