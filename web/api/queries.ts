import {
  infiniteQueryOptions,
  notifyManager,
  onlineManager,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { DAY_MS } from '#contract/durations.ts';
import { ApiError, mayPass } from './client.ts';
import { onSessionChange } from './session.ts';

/**
 * Data is fresh for 5 minutes. A failed request is retried up to 3 times, but not after a 401 (docs/product.md T3) or
 * if a retry cannot help.
 */
const STALE_TIME_MS = 5 * 60 * 1000;
const RETRIES_MAX = 3;
/** If the server asks for a longer wait than this, the screen shows the failure at once instead of a skeleton. */
const PATIENCE_MS = 5_000;
/**
 * The shortest wait before the visible screen retries a failed query automatically. The app must try, because no event
 * reports that the server works again.
 */
const TRY_AGAIN_MS = 30_000;
/** Data stays in memory for a day, so that the user can read it without a network. */
const KEPT_MS = DAY_MS;

// By default TanStack Query uses a timer to report that a request has begun. Between the two presses of a double click,
// the browser always runs microtasks, but not always timers. A microtask therefore locks the pressed button in time.
notifyManager.setScheduler(queueMicrotask);
// At its start TanStack Query assumes that the phone has a network. It listens to the browser only on screens with
// server data. The app therefore reports a lost network itself, so that TanStack Query notices the network's return.
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
      // Without a network a request fails at once and shows an error, instead of waiting.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

// The next account must not see this account's data.
onSessionChange((_session, change) => change !== 'renewed' && queryClient.clear());

function shouldRetry(failures: number, error: unknown): boolean {
  const isWorthWaiting = mayPass(error) && (retryAfterOf(error) ?? 0) <= PATIENCE_MS;
  return isWorthWaiting && navigator.onLine && failures < RETRIES_MAX;
}

/**
 * Returns the wait before an automatic retry of a failed query, or false for no retry. A further page of a list is
 * retried only by the user or when the network returns: an automatic retry would refetch all pages.
 */
function nextTry({ state }: Query): number | false {
  if (state.status !== 'error' || state.fetchMeta?.fetchMore || !mayPass(state.error)) return false;
  return Math.max(retryAfterOf(state.error) ?? 0, TRY_AGAIN_MS);
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiError ? error.retryAfterMs : null;
}

/**
 * Defines a list that loads page by page.
 * @param ask calls the endpoint with a cursor, which is empty for the first page.
 * @param hold picks from a page's response what the cache stores; by default the whole body as `rows`.
 */
export function pagedQuery<const Key extends QueryKey, Body, Held = { rows: Body }>(
  queryKey: Key,
  ask: (cursor: string, signal: AbortSignal) => Promise<{ body: Body; headers: Headers }>,
  { hold = (body) => ({ rows: body }) as Held, ...options }: { hold?: (body: Body) => Held; staleTime?: number } = {},
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const { body, headers } = await ask(pageParam, signal);
      return { ...hold(body), nextCursor: readNextCursor(headers) };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    ...options,
  });
}

/** Returns the rows of all loaded pages. */
export function rowsOf<Row>(list: { pages: { rows: Row[] }[] } | undefined): Row[] {
  return list?.pages.flatMap((page) => page.rows) ?? [];
}

/** Returns the next page's cursor from the `Link` header, or null on the last page. */
export function readNextCursor(headers: Headers): string | null {
  const target = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(headers.get('Link') ?? '')?.[1];
  return target ? new URL(target, window.location.origin).searchParams.get('cursor') : null;
}
