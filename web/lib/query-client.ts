import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';
import { onSessionChange } from './session.ts';

/** Specification §9: 5 minutes stale, up to 3 retries, none on 401. Nor where asking again cannot help. */
const STALE_TIME_MS = 5 * 60 * 1000;
const RETRIES_MAX = 3;
/** What was seen today can still be read when the network goes. */
const KEPT_MS = 24 * 60 * 60 * 1000;

function shouldRetry(failures: number, error: unknown): boolean {
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isRefused && navigator.onLine && failures < RETRIES_MAX;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      gcTime: KEPT_MS,
      retry: shouldRetry,
      // Without a network a request fails at once, and says so, instead of waiting in silence.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

// What one account has read is never shown to the next.
onSessionChange(() => queryClient.clear());
