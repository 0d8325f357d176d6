import i18next from 'i18next';
import type { Post } from '#contract/posts.ts';
import { ApiError, api } from './api-client.ts';
import { onOutboxChange, type PendingPost, readOutbox } from './outbox.ts';
import { postponeInOutbox, refuseInOutbox, takeFromOutbox } from './outbox-changes.ts';
import { hasComeThrough } from './spent-key.ts';
import { isRefusal, startSending } from './start-sending.ts';
import { withPhotos } from './with-photos.ts';

type Listener = (post: Post) => void;
const listeners = new Set<Listener>();

/** Calls the listener with every post that the outbox has sent. */
export function onOutboxSent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sends what waits now, and from now on whenever there may be a network or a Worker for it. @returns what ends that. */
export function startOutbox(): () => void {
  return startSending({ name: 'outbox', sendAll, waitMs, onChange: onOutboxChange });
}

/** Oldest first. */
async function sendAll(): Promise<void> {
  for (let post = nextToSend(); post; post = nextToSend()) {
    if (!(await sendOne(post))) return;
  }
}

function nextToSend(): PendingPost | undefined {
  if (!navigator.onLine || waitMs() > 0) return undefined;
  return readOutbox().find(({ refusal }) => refusal === null);
}

/** How long the Worker asked to be left alone; by one post it means all. */
function waitMs(): number {
  const times = readOutbox().map(({ refusal, sendAfter }) => (refusal === null ? (sendAfter ?? 0) : 0));
  return Math.max(0, Math.max(...times) - Date.now());
}

/** @returns whether it is worth going on to the next. */
async function sendOne({ input, idempotencyKey }: PendingPost): Promise<boolean> {
  try {
    const post = await api('POST /posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
    await withPhotos(({ movePhotos, inOutbox, atPost }) => movePhotos(inOutbox(idempotencyKey), atPost(post.id)));
    takeFromOutbox(idempotencyKey);
    for (const listener of [...listeners]) listener(post);
    return true;
  } catch (error) {
    if (!isRefusal(error)) {
      if (error instanceof ApiError && error.retryAfterMs !== null)
        postponeInOutbox(idempotencyKey, error.retryAfterMs);
      return false;
    }
    const refusal = error.errors.map(({ message }) => message).join(' ') || error.detail;
    return refuseInOutbox(idempotencyKey, hasComeThrough(error) ? i18next.t('common:cameThrough') : refusal);
  }
}
