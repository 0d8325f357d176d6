import type { Post } from '#contract/posts.ts';
import { ApiError, api } from './api-client.ts';
import {
  onOutboxChange,
  type PendingPost,
  postponeInOutbox,
  readOutbox,
  refuseInOutbox,
  takeFromOutbox,
} from './outbox.ts';

/** A network may be back without the phone saying so, and a server may only have been busy. */
const RETRY_MS = 30_000;

type Listener = (post: Post) => void;
const listeners = new Set<Listener>();
let sending: Promise<void> | null = null;

/** Calls the listener with every post that the outbox has sent. */
export function onOutboxSent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sends what waits now, and from now on whenever there may be a network or a Worker for it. @returns what ends that. */
export function startOutbox(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const send = () => void sendOutbox().then(sendLater);
  const sendLater = () => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(send, waitMs() || RETRY_MS);
  };
  window.addEventListener('online', send);
  const stop = onOutboxChange(send);
  send();
  return () => {
    isOver = true;
    clearTimeout(timer);
    window.removeEventListener('online', send);
    stop();
  };
}

/** Sends the posts that wait, oldest first, one run at a time, in this tab and in all. */
function sendOutbox(): Promise<void> {
  sending ??= inOneTab(sendAll).finally(() => {
    sending = null;
  });
  return sending;
}

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
    takeFromOutbox(idempotencyKey);
    for (const listener of [...listeners]) listener(post);
    return true;
  } catch (error) {
    if (!isRefusal(error)) {
      if (error instanceof ApiError && error.retryAfterMs !== null)
        postponeInOutbox(idempotencyKey, error.retryAfterMs);
      return false;
    }
    refuseInOutbox(idempotencyKey, error.errors.map(({ message }) => message).join(' ') || error.detail);
    return true;
  }
}

/** What no later try can change. An expired session, too many posts today and a server in trouble can all pass. */
function isRefusal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
  );
}

async function inOneTab(run: () => Promise<void>): Promise<void> {
  // A page without HTTPS has no locks; the idempotency key then keeps two tabs from making two posts.
  if (!('locks' in navigator)) return run();
  await navigator.locks.request('outbox', { ifAvailable: true }, (lock) => (lock ? run() : undefined));
}
