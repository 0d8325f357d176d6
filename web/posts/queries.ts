import { queryOptions } from '@tanstack/react-query';
import { api } from '#web/api/client.ts';
import { queryKeys, type ViewerId } from '#web/api/query-keys.ts';

/**
 * One post as the given user sees it.
 * @param viewerId null loads the post as a visitor sees it, even if somebody is signed in.
 */
export function postOptions(viewerId: ViewerId, postId: string) {
  return queryOptions({
    queryKey: queryKeys.posts.one(viewerId, postId),
    queryFn: ({ signal }) =>
      api('GET /posts/:id', { params: { id: postId }, signal, token: viewerId === null ? '' : undefined }),
  });
}
