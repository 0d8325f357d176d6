import { notifyManager, onlineManager, type Query, QueryClient } from '@tanstack/react-query';
import { DAY_MS } from '#contract/durations.ts';
import { ApiError, mayPass } from './api-client.ts';
import { onSessionChange } from './session.ts';

/** 5 minutes fresh, up to 3 retries, none on 401 (docs/product.md T3). Nor where asking again cannot help. */
const STALE_TIME_MS = 5 * 60 * 1000;
const RETRIES_MAX = 3;
/** Whoever is to wait longer than this is told so, and not left before a skeleton. */
const PATIENCE_MS = 5_000;
/** What failed is asked for again this often while somebody looks at it: a server comes back without an event. */
const TRY_AGAIN_MS = 30_000;
/** What was seen today can still be read when the network goes. */
const KEPT_MS = DAY_MS;

// Between two presses the browser runs microtasks and perhaps no timer: by this the button that was pressed is drawn
// locked before the next press can reach it.
notifyManager.setScheduler(queueMicrotask);
// By itself the library takes a page for online until it has seen the network go with a list on the screen, and would
// not notice the return of one that was gone before.
if (typeof window !== 'undefined') {
  const tell = () => onlineManager.setOnline(navigator.onLine);
  tell();
  window.addEventListener('offline', tell);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      gcTime: KEPT_MS,
      retry: shouldRetry,
      retryDelay: (failures, error) => retryAfterOf(error) ?? 1_000 * 2 ** failures,
      refetchInterval: nextTry,
      // Without a network a request fails at once, and says so, instead of waiting in silence.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

// What one account has read is never shown to the next.
onSessionChange((_session, change) => change !== 'renewed' && queryClient.clear());

function shouldRetry(failures: number, error: unknown): boolean {
  const isWorthWaiting = mayPass(error) && (retryAfterOf(error) ?? 0) <= PATIENCE_MS;
  return isWorthWaiting && navigator.onLine && failures < RETRIES_MAX;
}

/** Of a list whose next page failed all pages would be read anew: that one waits for the network or for its reader. */
function nextTry({ state }: Query): number | false {
  if (state.status !== 'error' || state.fetchMeta?.fetchMore || !mayPass(state.error)) return false;
  return Math.max(retryAfterOf(state.error) ?? 0, TRY_AGAIN_MS);
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiError ? error.retryAfterMs : null;
}
