import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { PostKind, PostListQuery } from '#contract/posts.ts';
import { api, callApi } from '#web/lib/api-client.ts';
import { readNextCursor } from '#web/lib/next-cursor.ts';
import { queryKeys, type ViewerId } from '#web/lib/query-keys.ts';

/** Every post of a page counts against the day's allowance of numbers: no more than people look at. */
const PAGE_SIZE = '20';

/** What a community's posts are narrowed to; empty for everything, `open` for those that are not back yet. */
export type CommunityPostFilter = {
  search: string;
  place: string;
  posted_by: '' | NonNullable<PostListQuery['posted_by']>;
  kind: '' | PostKind;
  open: boolean;
};
export const EVERY_POST: CommunityPostFilter = { search: '', place: '', posted_by: '', kind: '', open: false };

/** A community's posts, a page after the other, newest first. */
export function communityPostsQuery(viewerId: ViewerId, code: string, filter: CommunityPostFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeys.posts.ofCommunity(viewerId, code, filter),
    queryFn: async ({ pageParam, signal }) => {
      const { open, ...texts } = filter;
      const { body, headers } = await callApi('GET /posts', {
        query: { ...texts, ...(open && { open: '1' }), community_code: code, cursor: pageParam, limit: PAGE_SIZE },
        signal,
      });
      return { posts: body.map((entry) => entry.Post), nextCursor: readNextCursor(headers) };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** So many tell a member what goes on; the rest is one press away, where it can be searched. */
const LATEST_SHOWN = '5';

/** What was posted in a community last and is not back yet. */
export function latestPostsQuery(viewerId: ViewerId, code: string) {
  return queryOptions({
    queryKey: queryKeys.posts.latestOf(viewerId, code),
    queryFn: async ({ signal }) => {
      const query = { community_code: code, open: '1', limit: LATEST_SHOWN } as const;
      return (await api('GET /posts', { query, signal })).map((entry) => entry.Post);
    },
  });
}

type InCommunity = { communityId: string; postId: string };

export function hidePost({ communityId: id, postId, reason }: InCommunity & { reason: string }): Promise<null> {
  return api('POST /communities/:id/posts/:postId/hide', { params: { id, postId }, body: { reason } });
}

export function restorePost({ communityId: id, postId }: InCommunity): Promise<null> {
  return api('POST /communities/:id/posts/:postId/restore', { params: { id, postId }, body: { reason: null } });
}
