import {
  type DehydratedState,
  dehydrate,
  hydrate,
  type InfiniteData,
  type Query,
  type QueryClient,
} from '@tanstack/react-query';
import { forgetSeenPosts, SEEN_POSTS_PREFIX } from './keep-on-phone.ts';
import { isOfPosts, queryKeys } from './query-keys.ts';
import { getSession, onSessionChange } from './session.ts';

const VISITOR = 'visitor';
/** As much as one reads on a bus; a phone's storage is shared with the drafts. */
const QUERIES_MAX = 30;
const PAGES_MAX = 2;
const WRITE_DELAY_MS = 1_000;

/** Gives back the posts that this reader has seen on this phone, so that they can be read without a network. */
export function restoreSeenPosts(client: QueryClient): void {
  const seen = read(storageKey());
  if (seen) hydrate(client, seen);
}

/**
 * Keeps the posts that its reader sees on the phone: for each account by itself, and not beyond its sign-out.
 * Only what TanStack Query holds of posts is kept.
 * @returns what ends the keeping.
 */
export function keepSeenPosts(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopSession = onSessionChange(() => {
    clearTimeout(timer);
    timer = undefined;
    // What one account has read is never left for the next.
    forgetSeenPosts(storageKey());
    restoreSeenPosts(client);
  });
  const keepSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      write(storageKey(), client);
    }, WRITE_DELAY_MS);
  };
  // Writing takes a slow phone long: a request that begins or fails is no reason to.
  const stopCache = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && isOfPosts(event.query.queryKey)) keepSoon();
  });
  // What came with the page is there already.
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
      // Shown at once when it comes back, and asked for again: much may have happened since.
      state: { ...query.state, status: 'success' as const, isInvalidated: true, data: firstPages(query.state.data) },
    }));
  try {
    localStorage.setItem(key, JSON.stringify({ queries: latest, mutations: [] } satisfies DehydratedState));
  } catch {
    // Full: better no posts kept than a draft lost.
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
