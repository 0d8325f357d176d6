import { ApiError } from '#web/api/client.ts';

/** Retries at intervals: no event reports the server's return, and some phones do not report the network's return. */
const RETRY_MS = 30_000;

type Sending = {
  /** The name of the lock that a tab holds while it sends, so that two tabs never send at the same time. */
  name: string;
  sendAll: () => Promise<void>;
  /** How long the Worker has asked us to wait, in milliseconds. */
  waitMs: () => number;
  onChange: (listener: () => void) => () => void;
};

/**
 * Calls `sendAll` now, after each change that `onChange` reports, when the network returns, and at intervals.
 * @returns a function that ends these calls.
 */
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

/**
 * Whether the Worker refuses the request for good. An expired session, a daily limit and server errors are temporary,
 * so a retry can succeed.
 */
export function isRefusal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
  );
}

async function inOneTab(name: string, run: () => Promise<void>): Promise<void> {
  // Without HTTPS there are no locks. If two tabs then send the same post, its idempotency key prevents a duplicate.
  if (!('locks' in navigator)) return run();
  await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? run() : undefined));
}
