import { useInfiniteQuery, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/lib/session.ts';
import { showToast } from '#web/ui/toast.tsx';
import { changeCachedPost, deletePost, markPostFound, ownPostsOptions, postKeys } from './api.ts';

const DELETION = ['delete-post'] as const;
const MARKING = ['mark-post-found'] as const;

/** One's own posts as they will be once what is under way has succeeded; what fails stands as it was again. */
export function useOwnPosts() {
  const session = useSession();
  const list = useInfiniteQuery({ ...ownPostsOptions(session?.userId ?? null), enabled: session !== null });
  const deleting = usePending(DELETION);
  const marking = usePending(MARKING);
  const posts = (list.data?.pages ?? [])
    .flatMap((page) => page.posts)
    .filter((post) => !deleting.has(post.id))
    .map((post): Post => (marking.has(post.id) ? { ...post, is_found: true } : post));
  return { ...list, posts };
}

export function useDeletePost() {
  const { t } = useTranslation('posts');
  const client = useQueryClient();
  return useMutation({
    mutationKey: DELETION,
    mutationFn: deletePost,
    onSuccess(_nothing, postId) {
      changeCachedPost(client, postId, () => null);
      showToast.success(t('deleted'));
      void client.invalidateQueries({ queryKey: postKeys.all });
    },
    onError: () => void showToast.error(t('deleteFailed'), 'post-not-deleted'),
  });
}

export function useMarkFound() {
  const { t } = useTranslation('posts');
  const client = useQueryClient();
  return useMutation({
    mutationKey: MARKING,
    mutationFn: markPostFound,
    onSuccess(found) {
      changeCachedPost(client, found.id, () => found);
      showToast.success(t('markedFound'));
      void client.invalidateQueries({ queryKey: postKeys.all });
    },
    onError: () => void showToast.error(t('markFoundFailed'), 'post-not-marked'),
  });
}

function usePending(mutationKey: readonly string[]): Set<string> {
  const ids = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: (mutation) => mutation.state.variables as string,
  });
  return new Set(ids);
}
