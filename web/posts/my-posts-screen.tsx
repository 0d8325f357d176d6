import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/lib/paths.ts';
import type { PendingPost } from '#web/offline/outbox.ts';
import { takeFromOutbox, withPhotos } from '#web/offline/outbox-changes.ts';
import { PendingPosts } from '#web/offline/pending-posts.tsx';
import { draftKey, fromPostInput, readDraft, saveDraft } from '#web/posts/form/post-draft.ts';
import { LoadMore, useListError } from '#web/posts/list/load-more.tsx';
import { OwnPostCard } from '#web/posts/mine/own-post-card.tsx';
import { DeletedBars, useDeletePost, useOwnPosts } from '#web/posts/mine/own-posts.tsx';
import { PostGrid, PostGridSkeleton } from '#web/posts/post/post-card.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoadFailure, LoginNeeded, SeenBefore } from '#web/ui/query-state.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** /my-posts: the user's own posts, to edit, delete or mark as found. */
export function MyPostsScreen() {
  const { t } = useTranslation('posts');
  const navigate = useNavigate();
  const session = useSession();

  /**
   * Moves a refused post from the outbox into the form. If the form already has a draft, or the phone's storage is
   * full, the post stays in the outbox.
   */
  async function correct({ input, idempotencyKey }: PendingPost) {
    const userId = session?.userId ?? null;
    const place = draftKey(userId, null);
    if (readDraft(place)) {
      showToast.notice(t('finishDraftFirst'));
    } else if (saveDraft(place, { values: fromPostInput(input), idempotencyKey })) {
      await withPhotos(({ movePhotos, inOutbox }) => movePhotos(inOutbox(idempotencyKey), place));
      takeFromOutbox(idempotencyKey);
    } else {
      return showToast.error(t('storageFull'));
    }
    void navigate(paths.createPost);
  }

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" className="icon-button -ml-2" aria-label={t('back')} onClick={() => navigate(paths.home)}>
          <Icon name="back" />
        </button>
        <h1 className="mr-auto">{t('myPostsTitle')}</h1>
        {session && (
          <ButtonLink to={paths.createPost} icon="plus">
            {t('reportItem')}
          </ButtonLink>
        )}
      </div>
      {session && <PendingPosts onEdit={(post) => void correct(post)} />}
      {session ? <OwnPosts /> : <LoginNeeded title={t('loginForMyPosts')} label={t('login')} />}
    </div>
  );
}

function OwnPosts() {
  const { t } = useTranslation('posts');
  const { posts, ...list } = useOwnPosts();
  const problem = useListError(list);
  const deletion = useDeletePost();
  const [toDelete, setToDelete] = useState<Post | null>(null);
  const region = useRef<HTMLElement>(null);

  if (problem) {
    return <LoadFailure title={problem.sentence} isToasted query={list} />;
  }
  if (list.isPending) return <PostGridSkeleton />;

  function confirmDeletion(post: Post) {
    deletion.mutate(post);
    // Closes the dialog first: until then the focus cannot leave it. Then moves the focus, because the pressed button
    // is removed with its card.
    flushSync(() => setToDelete(null));
    region.current?.focus();
  }

  return (
    <section ref={region} tabIndex={-1} aria-label={t('myPostsTitle')} className="flex flex-col gap-4 outline-none">
      <DeletedBars home={region} />
      <SeenBefore updatedAt={list.dataUpdatedAt} isOutdated={list.isRefetchError} />
      {posts.length === 0 && !list.hasNextPage && <EmptyState icon="tag" title={t('noOwnPosts')} />}
      <PostGrid posts={posts} renderCard={(post) => <OwnPostCard post={post} onDelete={() => setToDelete(post)} />} />
      {list.hasNextPage && (
        <LoadMore
          pageCount={list.data?.pages.length ?? 0}
          isAutomatic
          hasFailed={list.isFetchNextPageError}
          isLoading={list.isFetchingNextPage}
          onLoad={() => void list.fetchNextPage()}
        />
      )}
      {toDelete && (
        <DeletePostDialog
          post={toDelete}
          onCancel={() => setToDelete(null)}
          onConfirm={() => confirmDeletion(toDelete)}
        />
      )}
    </section>
  );
}

function DeletePostDialog({ post, onCancel, onConfirm }: { post: Post; onCancel: () => void; onConfirm: () => void }) {
  const { t } = useTranslation('posts');
  return (
    <Dialog title={t('deleteTitle')} onClose={onCancel}>
      <p dir="auto" className="break-words font-semibold">
        {post.title}
      </p>
      <p>{t('deleteQuestion')}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button look="danger" icon="trash" onClick={onConfirm}>
          {t('delete')}
        </Button>
      </div>
    </Dialog>
  );
}
