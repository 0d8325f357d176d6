import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { Post } from '#contract/posts.ts';
import type { PendingPost } from '#web/lib/outbox.ts';
import { takeFromOutbox } from '#web/lib/outbox-changes.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { withPhotos } from '#web/lib/with-photos.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { PendingPosts } from '#web/ui/pending-posts.tsx';
import { SeenBefore } from '#web/ui/seen-before.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { DeletePostDialog } from './delete-post-dialog.tsx';
import { DeletedBars } from './deleted-bars.tsx';
import { LoadMore } from './load-more.tsx';
import { OwnPostCard } from './own-post-card.tsx';
import { draftKey, fromPostInput, readDraft, saveDraft } from './post-draft.ts';
import { PostGrid, PostGridSkeleton } from './post-grid.tsx';
import { useListError } from './use-list-error.ts';
import { useDeletePost, useOwnPosts } from './use-own-posts.ts';

/** /my-posts: what one has posted, to be updated, deleted or marked as found. */
export function MyPostsScreen() {
  const { t } = useTranslation('posts');
  const navigate = useNavigate();
  const session = useSession();

  /** What was refused goes back into the form, as a post not yet sent. It waits where another was begun there, or the phone is full. */
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
      {session ? <OwnPosts /> : <LoginPrompt />}
    </div>
  );
}

function LoginPrompt() {
  const { t } = useTranslation('posts');
  const { pathname, search } = useLocation();
  return (
    <EmptyState icon="user" title={t('loginForMyPosts')}>
      <ButtonLink to={paths.login} state={{ from: pathname + search }}>
        {t('login')}
      </ButtonLink>
    </EmptyState>
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
    // The button that had the focus goes with its card. Behind an open dialog nothing can have it.
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
