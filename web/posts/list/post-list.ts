import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FEED_PAGE_SIZE } from '#contract/first-posts.ts';
import type { SearchPart } from '#contract/posts.ts';
import { callApi } from '#web/api/client.ts';
import { type PostFilter, queryKeys, type ViewerId } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { useOnline } from '#web/lib/online.ts';
import { type PostPage, pagedPosts, partOf } from '#web/posts/api.ts';
import { isSameBut, matchesTyped, toListQuery } from './post-filter.ts';

/**
 * Loads a list of posts. Until the response to a new search arrives, shows the loaded posts that contain the typed
 * words, and the posts that the last search found by meaning. Without a network, searches the posts that the user has
 * seen.
 * @param staleTime replaces the app's default, in milliseconds.
 * @returns also `answered`, the search whose results are shown.
 */
export function usePostList(filter: PostFilter, typed: string, staleTime?: number) {
  const viewerId = useSession()?.userId ?? null;
  const client = useQueryClient();
  const isOnline = useOnline();
  const asked = useInfiniteQuery({
    ...postListOptions(viewerId, filter),
    ...(staleTime !== undefined && { staleTime }),
    // Shows the posts of the last search until the new ones arrive, but never posts that were loaded for another user,
    // community or filter.
    placeholderData: (before, query) => {
      const [, , lastViewer, lastFilter] = (query?.queryKey ?? []) as Partial<ReturnType<typeof queryKeys.posts.list>>;
      return lastViewer === viewerId && lastFilter && isSameBut('search', lastFilter, filter) ? before : undefined;
    },
  });
  const seen = asked.isError && asked.data === undefined && !isOnline ? searchSeen(client, viewerId, filter) : null;
  const list = seen ? ({ ...asked, ...seen } as typeof asked) : asked;
  const isCatchingUp = list.isPlaceholderData || typed !== filter.search;
  const loaded = list.data?.pages.flatMap((page) => page.posts) ?? [];
  const posts = isCatchingUp ? loaded.filter((post) => partOf(post) !== 'words' || matchesTyped(post, typed)) : loaded;
  const answered = useRef(filter.search);
  if (list.isSuccess && !list.isPlaceholderData) answered.current = filter.search;
  return { ...list, posts, isCatchingUp, answered: answered.current };
}

/**
 * Searches this user's cached lists, except lists with other filters.
 * @returns null if no post matches.
 */
function searchSeen(client: QueryClient, viewerId: ViewerId, filter: PostFilter) {
  const { isExact } = filter;
  const lists = client.getQueryCache().findAll({
    queryKey: queryKeys.posts.list(viewerId, filter).slice(0, -1),
    predicate: ({ queryKey }) => isSameBut('search', { ...(queryKey[3] as PostFilter), isExact }, filter),
  });
  const pages = lists.flatMap(({ state }) => (state.data as InfiniteData<PostPage> | undefined)?.pages ?? []);
  const fitting = pages.flatMap((page) => page.posts).filter((post) => matchesTyped(post, filter.search));
  const posts = [...new Map(fitting.map(({ found_by: _, reasons: __, ...post }) => [post.id, post])).values()];
  if (posts.length === 0) return null;
  posts.sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  return {
    data: { pages: [{ posts, nextCursor: null }], pageParams: [''] },
    dataUpdatedAt: Math.max(...lists.map(({ state }) => state.dataUpdatedAt)),
    isSuccess: true,
  };
}

/** Whether the server has answered and no post matches the filter. */
export function isEmptyList({ data, posts, isCatchingUp, hasNextPage }: ReturnType<typeof usePostList>): boolean {
  return data !== undefined && !isCatchingUp && posts.length === 0 && !hasNextPage;
}

/**
 * Returns a text for screen readers: how many posts are shown. If a search also found posts with the same or a related
 * meaning, gives a count for each of these groups. Empty while the list is loading.
 */
export function useShownCount({ posts, isSuccess, isCatchingUp }: ReturnType<typeof usePostList>): string {
  const { t } = useTranslation('posts');
  if (!isSuccess || isCatchingUp) return '';
  const count = (part: SearchPart) => posts.filter((post) => partOf(post) === part).length;
  const words = count('words');
  if (words === posts.length) return t('shown', { count: words });
  return t('shownParts', { words, meaning: count('meaning'), near: count('near') });
}

/**
 * The number of posts in a page: only as many as people usually read, because each post on the screen counts towards
 * the user's daily allowance of phone numbers.
 */
const PAGE_SIZE = String(FEED_PAGE_SIZE);

/** Posts page by page, newest first. */
export function postListOptions(viewerId: ViewerId, filter: PostFilter) {
  return pagedPosts(queryKeys.posts.list(viewerId, filter), (cursor, signal) =>
    callApi('GET /posts', { query: { ...toListQuery(filter), cursor, limit: PAGE_SIZE }, signal }),
  );
}
