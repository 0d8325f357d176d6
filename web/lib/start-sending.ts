import { ApiError } from './api-client.ts';

/** A network may be back without the phone saying so, and a server may only have been busy. */
const RETRY_MS = 30_000;

type Sending = {
  /** One tab at a time sends what has this name. */
  name: string;
  sendAll: () => Promise<void>;
  /** How long the Worker asked to be left alone. */
  waitMs: () => number;
  onChange: (listener: () => void) => () => void;
};

/** Sends what waits now, and from now on whenever there may be a network or a Worker for it. @returns what ends that. */
export function startSending({ name, sendAll, waitMs, onChange }: Sending): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isSending = false;
  let isAskedAgain = false;

  async function send() {
    isAskedAgain = true;
    if (isSending) return;
    isSending = true;
    try {
      while (isAskedAgain && !isOver) {
        isAskedAgain = false;
        await inOneTab(name, sendAll);
      }
    } finally {
      isSending = false;
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(send, waitMs() || RETRY_MS);
    }
  }

  const ask = () => void send();
  window.addEventListener('online', ask);
  const stop = onChange(ask);
  ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
    window.removeEventListener('online', ask);
    stop();
  };
}

/** What no later try can change. An expired session, too many today and a server in trouble can all pass. */
export function isRefusal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
  );
}

async function inOneTab(name: string, run: () => Promise<void>): Promise<void> {
  // A page without HTTPS has no locks; the idempotency key then keeps two tabs from sending a thing twice.
  if (!('locks' in navigator)) return run();
  await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? run() : undefined));
}
