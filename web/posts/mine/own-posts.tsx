import { useInfiniteQuery, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { ApiError, withReference } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { getSession, useSession } from '#web/api/session.ts';
import { createStore, useStore } from '#web/lib/store.ts';
import { changeCachedPost, deletePost, markPostFound, ownPostsOptions, undoPostFound } from '#web/posts/api.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

const DELETION = ['delete-post'] as const;
const MARKING = ['mark-post-found'] as const;

/**
 * The user's own posts. A deletion or "Mark as found" is shown as done while its request is still running. If the
 * request fails, the post is shown as before.
 */
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

/** Deletes a post once the time to undo the deletion is over. */
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

/** @param onUndone is called while the pressed button is still on the screen, to move the focus. */
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

/**
 * "Deleted. Undo": a bar for each deletion that is not sent yet. If the user hides or leaves the page, these deletions
 * are sent immediately. The bars come first in the tab order, but are at the foot of the screen, where no toast covers
 * the bars.
 * @param home receives the focus when the bar with the focus is removed.
 */
export function DeletedBars({ home }: { home: RefObject<HTMLElement | null> }) {
  const deletions = useStore(waiting);
  useSendOnLeaving();
  return (
    <div role="status" className={deletions.length > 0 ? 'sticky bottom-4 z-30 order-last grid gap-2' : 'sr-only'}>
      {deletions.map(({ post, decide }) => (
        <DeletedBar key={post.id} title={post.title} home={home} onUndo={() => decide(false)} />
      ))}
    </div>
  );
}

function DeletedBar({
  title,
  home,
  onUndo,
}: {
  title: string;
  home: RefObject<HTMLElement | null>;
  onUndo: () => void;
}) {
  const { t } = useTranslation('posts');
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    return () => {
      if (element?.contains(document.activeElement)) home.current?.focus();
    };
  }, [home]);
  return (
    <div ref={bar} className="flex items-center justify-between gap-2 rounded-xl bg-ink py-1 pr-1 pl-4 text-paper">
      <p className="min-w-0 break-words">{t('deletedBar', { title })}</p>
      <Button look="secondary" className="text-ink" onClick={onUndo}>
        {t('undo')}
      </Button>
    </div>
  );
}

/** Sends pending deletions when the page is hidden: a phone may end a hidden page without another event. */
function useSendOnLeaving(): void {
  useEffect(() => {
    const sendWhenHidden = () => document.visibilityState === 'hidden' && sendDeletions();
    document.addEventListener('visibilitychange', sendWhenHidden);
    window.addEventListener('pagehide', sendDeletions);
    return () => {
      document.removeEventListener('visibilitychange', sendWhenHidden);
      window.removeEventListener('pagehide', sendDeletions);
      sendDeletions();
    };
  }, []);
}

/** How long a deletion can be undone before it is sent. */
const DELETION_UNDO_MS = 10_000;

type Deletion = { post: Post; decide: (isMeant: boolean) => void };

/** The deletions that can be undone, the latest last. */
const waiting = createStore<readonly Deletion[]>([]);

/** Waits until the deletion can no longer be undone. @returns false if the user has undone it. */
function awaitSecondThoughts(post: Post): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => deletion.decide(true), DELETION_UNDO_MS);
    const deletion: Deletion = {
      post,
      decide(isMeant) {
        clearTimeout(timer);
        waiting.set(waiting.get().filter((other) => other !== deletion));
        resolve(isMeant);
      },
    };
    waiting.set([...waiting.get(), deletion]);
  });
}

/** Sends all pending deletions when the user leaves the page: later nothing could send them. */
function sendDeletions(): void {
  for (const deletion of waiting.get()) deletion.decide(true);
}
