import { infiniteQueryOptions } from '@tanstack/react-query';
import { FEED_PAGE_SIZE } from '#contract/first-posts.ts';
import type { Post, PostEntry } from '#contract/posts.ts';
import { callApi } from './api-client.ts';
import { readNextCursor } from './next-cursor.ts';
import { toListQuery } from './post-filter.ts';
import { type PostFilter, queryKeys, type ViewerId } from './query-keys.ts';

/** Every post of a page counts against the day's allowance of numbers: no more than people look at. */
const PAGE_SIZE = String(FEED_PAGE_SIZE);

export type PostPage = { posts: Post[]; nextCursor: string | null };

/** A page after the other, newest first. */
export function postListOptions(viewerId: ViewerId, filter: PostFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeys.posts.list(viewerId, filter),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...toListQuery(filter), cursor: pageParam, limit: PAGE_SIZE };
      return toPostPage(await callApi('GET /posts', { query, signal }));
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

export function toPostPage({ body, headers }: { body: PostEntry[]; headers: Headers }): PostPage {
  return { posts: body.map((entry) => entry.Post), nextCursor: readNextCursor(headers) };
}
