import { useInfiniteQuery, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { ApiError, withReference } from '#web/lib/api-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { getSession, useSession } from '#web/lib/session.ts';
import { showToast } from '#web/ui/toast.tsx';
import { changeCachedPost, deletePost, markPostFound, ownPostsOptions, undoPostFound } from './api.ts';
import { awaitSecondThoughts } from './deletions.ts';

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

/** Deletes a post once it can no longer be taken back. */
export function useDeletePost() {
  const { t } = useTranslation('posts');
  const client = useQueryClient();
  return useMutation({
    mutationKey: DELETION,
    async mutationFn(post: Post) {
      const token = getSession()?.token;
      const isMeant = await awaitSecondThoughts(post);
      if (isMeant) await deletePost(post.id, token);
      return isMeant;
    },
    onSuccess(isDeleted, { id }) {
      if (!isDeleted) return;
      changeCachedPost(client, id, () => null);
      showToast.success(t('deleted'));
      void client.invalidateQueries({ queryKey: queryKeys.posts.all });
    },
    onError: (error) => void showToast.error(withReference(t('deleteFailed'), error), 'post-not-deleted'),
  });
}

export function useMarkFound() {
  const { t } = useTranslation('posts');
  const client = useQueryClient();
  return useMutation({
    mutationKey: MARKING,
    mutationFn: ({ id }: Post) => markPostFound(id),
    onSuccess(found) {
      changeCachedPost(client, found.id, () => found);
      showToast.success(t('markedFound'));
      void client.invalidateQueries({ queryKey: queryKeys.posts.all });
    },
    onError: (error) => void showToast.error(withReference(t('markFoundFailed'), error), 'post-not-marked'),
  });
}

/** @param onUndone is called while what was pressed is still there, so that the focus can be led elsewhere. */
export function useUndoFound(onUndone: () => void) {
  const { t } = useTranslation('posts');
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Post) => undoPostFound(id),
    onSuccess(open) {
      onUndone();
      changeCachedPost(client, open.id, () => open);
      showToast.success(t('foundUndone'));
      void client.invalidateQueries({ queryKey: queryKeys.posts.all });
      void client.invalidateQueries({ queryKey: queryKeys.matches.all });
    },
    onError(error, { id }) {
      const isTooLate = error instanceof ApiError && error.code === 'too_late';
      if (isTooLate) changeCachedPost(client, id, (post) => ({ ...post, found_until: null }));
      showToast.error(isTooLate ? error.detail : withReference(t('undoFailed'), error), 'found-not-undone');
    },
  });
}

function usePending(mutationKey: readonly string[]): Set<string> {
  const posts = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: (mutation) => mutation.state.variables as Post,
  });
  return new Set(posts.map(({ id }) => id));
}
