import { ApiError } from '#web/api/client.ts';

/** The phone may not report that the network is back, and a server may only have been busy. */
const RETRY_MS = 30_000;

type Sending = {
  /** Only one tab at a time sends under this name. */
  name: string;
  sendAll: () => Promise<void>;
  /** The wait that the Worker asked for, in milliseconds. */
  waitMs: () => number;
  onChange: (listener: () => void) => () => void;
};

/**
 * Sends what waits now, and again after every change, when the network returns and at intervals. @returns a function
 * that stops it.
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

/** Whether no retry can succeed. An expired session, a daily limit and server errors are temporary. */
export function isRefusal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
  );
}

async function inOneTab(name: string, run: () => Promise<void>): Promise<void> {
  // Without HTTPS there are no locks; then the idempotency key prevents duplicates from two tabs.
  if (!('locks' in navigator)) return run();
  await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? run() : undefined));
}
