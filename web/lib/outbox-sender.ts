import type { Post } from '#contract/posts.ts';
import { ApiError, api } from './api-client.ts';
import { onOutboxChange, type PendingPost, readOutbox, refuseInOutbox, takeFromOutbox } from './outbox.ts';

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

/** Sends what waits now, and from now on whenever there may be a network. @returns what ends that. */
export function startOutbox(): () => void {
  const send = () => void sendOutbox();
  const timer = setInterval(send, RETRY_MS);
  window.addEventListener('online', send);
  const stop = onOutboxChange(send);
  send();
  return () => {
    clearInterval(timer);
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
  return navigator.onLine ? readOutbox().find(({ refusal }) => refusal === null) : undefined;
}

/** @returns whether it is worth going on to the next. */
async function sendOne({ input, idempotencyKey }: PendingPost): Promise<boolean> {
  try {
    const post = await api<Post>('POST', '/posts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
    takeFromOutbox(idempotencyKey);
    for (const listener of [...listeners]) listener(post);
    return true;
  } catch (error) {
    if (!isRefusal(error)) return false;
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
