import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#web/lib/api-client.ts';
import { postOptions } from '#web/lib/post-query.ts';
import { useSession } from '#web/lib/session.ts';
import { findSeenPost } from './api.ts';

/** One post. What a list has shown can be read at once, and without a network; one that is gone is not shown again. */
export function useOnePost(postId: string) {
  const viewerId = useSession()?.userId ?? null;
  const client = useQueryClient();
  const query = useQuery({
    ...postOptions(viewerId, postId),
    initialData: () => findSeenPost(client, viewerId, postId)?.post,
    initialDataUpdatedAt: () => findSeenPost(client, viewerId, postId)?.seenAt,
  });
  const isGone = query.error instanceof ApiError && [403, 404].includes(query.error.status);
  return { ...query, post: isGone ? undefined : query.data };
}
