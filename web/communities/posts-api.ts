import { queryOptions } from '@tanstack/react-query';
import { api } from '#web/lib/api-client.ts';
import { queryKeys, type ViewerId } from '#web/lib/query-keys.ts';

/** So many tell a member what goes on; the rest is one press away, where it can be searched. */
const LATEST_SHOWN = '5';

/** What was posted in a community last. */
export function latestPostsQuery(viewerId: ViewerId, code: string) {
  return queryOptions({
    queryKey: queryKeys.posts.latestOf(viewerId, code),
    queryFn: async ({ signal }) => {
      const query = { community_code: code, limit: LATEST_SHOWN } as const;
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
