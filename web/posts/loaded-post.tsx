import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { SeenBefore } from '#web/ui/seen-before.tsx';
import { PostCardSkeleton } from './post-card.tsx';
import type { useOnePost } from './use-one-post.ts';

/** What a screen shows of its one post; until it is here its shape, or why it cannot be had. */
export function LoadedPost({
  query,
  render,
}: {
  query: ReturnType<typeof useOnePost>;
  render: (post: Post) => ReactNode;
}) {
  const { t } = useTranslation('posts');
  const failure = useFailure({ ...query, data: query.post });
  if (query.post) {
    return (
      <>
        <SeenBefore updatedAt={query.dataUpdatedAt} isOutdated={query.isRefetchError} />
        {render(query.post)}
      </>
    );
  }
  if (!failure) return <PostCardSkeleton />;
  return <LoadFailure icon="search" title={describeFailure(failure, t('noAnswer'))} isPage query={query} />;
}
