import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { withReference } from '#web/lib/api-client.ts';
import { paths } from '#web/lib/paths.ts';
import { postOptions } from '#web/lib/post-query.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { PostCardSkeleton } from '#web/posts/post-card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { NewPost } from './new-post.tsx';
import { draftKey, toFormValues } from './post-draft.ts';
import { PostForm } from './post-form.tsx';

/** /create-post: makes a post, or updates the one that the navigation state names. */
export function CreatePostScreen() {
  const { t } = useTranslation('posts');
  const postId = readPostId(useLocation().state);
  const navigate = useNavigate();
  const title = postId === null ? t('createTitle') : t('updateTitle');
  useOwnTitle(postId === null ? undefined : title);
  return (
    <div className="mx-auto grid w-full max-w-xl gap-5">
      <div className="grid grid-cols-[1fr_auto] gap-2">
        <h1>{title}</h1>
        <button
          type="button"
          className="icon-button -mt-1"
          aria-label={t('closeForm')}
          onClick={() => navigate(postId === null ? paths.home : paths.myPosts)}
        >
          <Icon name="close" />
        </button>
        <p className="col-span-2 text-muted">{postId === null ? t('createText') : t('updateText')}</p>
      </div>
      {postId === null ? <NewPost /> : <UpdateForm key={postId} postId={postId} />}
    </div>
  );
}

/** The form once the post is loaded: as it is now, not as a list had it a while ago. From then on it is its writer's. */
function UpdateForm({ postId }: { postId: string }) {
  const { t } = useTranslation('posts');
  const viewerId = useSession()?.userId ?? null;
  const [loaded, setLoaded] = useState<Post | null>(null);
  const query = useQuery({ ...postOptions(viewerId, postId), refetchOnMount: 'always', enabled: loaded === null });
  const { data, error, isFetchedAfterMount } = query;
  const failure = useFailure({ ...query, data: loaded ?? undefined });
  if (!loaded && data && isFetchedAfterMount && !error) setLoaded(data);

  if (loaded) return <PostForm post={loaded} saved={toFormValues(loaded)} draftKey={draftKey(viewerId, postId)} />;
  if (failure) {
    return <LoadFailure title={withReference(t('fetchFailed'), failure)} query={query} />;
  }
  return <PostCardSkeleton />;
}

/** `{ mode: 'update', post }` names a post to update; anything else makes a new one (docs/product.md S6). */
function readPostId(state: unknown): string | null {
  const { mode, post } = (state ?? {}) as { mode?: unknown; post?: { id?: unknown } };
  return mode === 'update' && typeof post?.id === 'string' ? post.id : null;
}
