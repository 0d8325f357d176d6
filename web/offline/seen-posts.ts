import {
  type DehydratedState,
  dehydrate,
  hydrate,
  type InfiniteData,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';
import { isOfPosts, queryKeys } from '#web/api/query-keys.ts';
import { getSession, onSessionChange } from '#web/api/session.ts';
import { forgetSeenPosts, SEEN_POSTS_PREFIX } from '#web/lib/phone-storage.ts';

const VISITOR = 'visitor';
/**
 * How many lists of posts are stored: enough to read on a bus ride. More lists would leave too little storage for
 * drafts.
 */
const QUERIES_MAX = 30;
const PAGES_MAX = 2;
const WRITE_DELAY_MS = 1_000;

/** Restores the posts that this user has seen on this phone, so that the user can read them offline. */
export function restoreSeenPosts(client: QueryClient): void {
  const seen = read(storageKey());
  if (seen) hydrate(client, seen);
}

/**
 * Stores the posts that the user sees, for each account separately, until the account signs out. Stores no other data
 * of TanStack Query.
 * @returns a function that stops storing.
 */
export function keepSeenPosts(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopSession = onSessionChange(() => {
    clearTimeout(timer);
    timer = undefined;
    // The next account must not see this account's data.
    forgetSeenPosts(storageKey());
    restoreSeenPosts(client);
  });
  const keepSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      write(storageKey(), client);
    }, WRITE_DELAY_MS);
  };
  // Writes only after new data, because writing is slow on a cheap phone.
  const stopCache = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && isOfPosts(event.query.queryKey)) keepSoon();
  });
  // Stores posts that came embedded in the page: they are already in the cache, so they cause no event.
  const isNew = ({ state }: Query) => state.data !== undefined && !state.isInvalidated;
  if (client.getQueryCache().findAll({ queryKey: queryKeys.posts.all }).some(isNew)) keepSoon();
  return () => {
    clearTimeout(timer);
    stopSession();
    stopCache();
  };
}

function storageKey(): string {
  return SEEN_POSTS_PREFIX + (getSession()?.userId ?? VISITOR);
}

function write(key: string, client: QueryClient): void {
  const { queries } = dehydrate(client, {
    shouldDehydrateQuery: ({ queryKey, state }) => isOfPosts(queryKey) && state.data !== undefined,
    shouldDehydrateMutation: () => false,
  });
  const latest = queries
    .sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .slice(0, QUERIES_MAX)
    .map((query) => ({
      ...query,
      // Stores the posts as invalidated. When they are restored, they are shown at once and refetched, because they may
      // have changed.
      state: { ...query.state, status: 'success' as const, isInvalidated: true, data: firstPages(query.state.data) },
    }));
  try {
    localStorage.setItem(key, JSON.stringify({ queries: latest, mutations: [] } satisfies DehydratedState));
  } catch {
    // The storage is full: deletes the seen posts, because drafts need the space.
    localStorage.removeItem(key);
  }
}

function firstPages(data: unknown): unknown {
  const { pages, pageParams } = (data ?? {}) as Partial<InfiniteData<unknown>>;
  if (!pages || !pageParams) return data;
  return { pages: pages.slice(0, PAGES_MAX), pageParams: pageParams.slice(0, PAGES_MAX) };
}

function read(key: string): DehydratedState | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as DehydratedState | null;
  } catch {
    return null;
  }
}
