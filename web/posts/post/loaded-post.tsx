import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { ApiError, failureText } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { findSeenPost } from '#web/posts/api.ts';
import { postOptions } from '#web/posts/queries.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { PostCardSkeleton } from './post-card.tsx';

/** Renders the post that `useOnePost` has loaded, or a skeleton while the post loads, or the failure. */
export function LoadedPost({
  query,
  render,
}: {
  query: ReturnType<typeof useOnePost>;
  render: (post: Post) => ReactNode;
}) {
  const { t } = useTranslation('posts');
  return (
    <QueryState
      query={{ ...query, data: query.post }}
      failed={t('noAnswer')}
      wording={failureText}
      icon="search"
      isPage
      skeleton={<PostCardSkeleton />}
      showsAge
    >
      {render}
    </QueryState>
  );
}

/**
 * Loads one post. Shows the copy in a cached list at once, also offline, unless the server has answered that the post
 * is deleted.
 */
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
