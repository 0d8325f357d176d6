import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { SeenBefore } from '#web/ui/seen-before.tsx';
import { findSeenPost, postOptions } from './api.ts';
import { Contact } from './contact.tsx';
import { PostBadges } from './post-badges.tsx';
import { PostCardSkeleton } from './post-card.tsx';
import { PostFacts } from './post-facts.tsx';
import { SharePost } from './share-post.tsx';

/** /posts/{id}: one post, whole, at an address that can be passed on. */
export function PostScreen() {
  const { t } = useTranslation('posts');
  const { id = '' } = useParams();
  const viewerId = useSession()?.userId ?? null;
  const client = useQueryClient();
  const {
    data: post,
    error,
    refetch,
    dataUpdatedAt,
    isError,
  } = useQuery({
    ...postOptions(viewerId, id),
    // What a list has shown can be read at once, and without a network.
    initialData: () => findSeenPost(client, viewerId, id)?.post,
    initialDataUpdatedAt: () => findSeenPost(client, viewerId, id)?.seenAt,
  });
  const isGone = error instanceof ApiError && [403, 404].includes(error.status);
  useTitle(post?.title ?? t('postTitle'));
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <ButtonLink look="quiet" icon="back" to={paths.viewPosts} className="justify-self-start px-2!">
        {t('allPosts')}
      </ButtonLink>
      {post && !isGone ? (
        <>
          <SeenBefore updatedAt={dataUpdatedAt} isOutdated={isError} />
          <WholePost post={post} />
        </>
      ) : error ? (
        <LoadFailure icon="search" title={reasonOf(error)} isPage onRetry={() => void refetch()} />
      ) : (
        <PostCardSkeleton />
      )}
    </div>
  );

  function reasonOf(problem: Error): string {
    return (problem instanceof ApiError && problem.detail) || t('noAnswer');
  }
}

function WholePost({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  return (
    <article className={`card grid gap-4 ${post.is_found ? 'border-found bg-found-soft/50' : ''}`}>
      <PostBadges post={post} />
      <h1 dir="auto" className="break-words">
        {post.title}
      </h1>
      <PostFacts post={post} />
      {post.description && (
        <p dir="auto" className="whitespace-pre-wrap break-words">
          {post.description}
        </p>
      )}
      <Contact post={post} />
      <div className="flex flex-wrap gap-2">
        {post.is_mine && (
          <ButtonLink look="secondary" icon="edit" to={paths.myPosts}>
            {t('manage')}
          </ButtonLink>
        )}
        <SharePost title={post.title} />
      </div>
    </article>
  );
}
