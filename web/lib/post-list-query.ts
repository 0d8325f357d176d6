import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { FEED_PAGE_SIZE } from '#contract/first-posts.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { ApiError, api, callApi } from './api-client.ts';
import { readNextCursor } from './next-cursor.ts';
import { toListQuery } from './post-filter.ts';
import { type PostFilter, queryKeys, type ViewerId } from './query-keys.ts';

/** Every post of a page counts against the day's allowance of numbers: no more than people look at. */
const PAGE_SIZE = String(FEED_PAGE_SIZE);
const NOT_MODIFIED = 304;

export type PostPage = {
  posts: Post[];
  nextCursor: string | null;
  /** For visitors alone. */
  etag: string | null;
};

/** A page after the other, newest first. */
export function postListOptions(viewerId: ViewerId, filter: PostFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeys.posts.list(viewerId, filter),
    queryFn: async ({ pageParam, signal, client, queryKey }) => {
      const query = { ...toListQuery(filter), cursor: pageParam, limit: PAGE_SIZE };
      const known = client.getQueryData<InfiniteData<PostPage>>(queryKey);
      const page = known?.pages[known.pageParams.indexOf(pageParam)];
      // Not left to the browser, which has no copy of what came in the page.
      const headers: Record<string, string> = page?.etag ? { 'If-None-Match': page.etag } : {};
      try {
        return toPostPage(await callApi('GET /posts', { query, signal, headers }));
      } catch (error) {
        if (page && error instanceof ApiError && error.status === NOT_MODIFIED) return page;
        throw error;
      }
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** How many posts the list would have without each of its filters. */
export function excludedOptions(viewerId: ViewerId, filter: PostFilter) {
  return queryOptions({
    queryKey: queryKeys.posts.excluded(viewerId, filter),
    queryFn: ({ signal }) => api('GET /posts/excluded', { query: toListQuery(filter), signal }),
  });
}

export function toPostPage({ body, headers }: { body: PostEntry[]; headers: Headers }): PostPage {
  const posts = body.map((entry) => entry.Post);
  return { posts, nextCursor: readNextCursor(headers), etag: headers.get('ETag') };
}
