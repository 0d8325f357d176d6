import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FIRST_POSTS_PLACE } from '#contract/first-posts.ts';
import type { Post } from '#contract/posts.ts';
import { PostCardSkeleton } from './post-card.tsx';

const GRID = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';
const SKELETONS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** The list of /view-posts, cards and what belongs to them. */
export function Feed({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  const { t } = useTranslation('posts');
  return (
    <section aria-label={t('results')} aria-busy={isBusy} className="grid gap-4">
      {children}
    </section>
  );
}

export function PostGrid({ posts, renderCard }: { posts: Post[]; renderCard: (post: Post) => ReactNode }) {
  return (
    <ul className={GRID}>
      {posts.map((post) => (
        <li key={post.id} className="min-w-0">
          {renderCard(post)}
        </li>
      ))}
    </ul>
  );
}

export function PostGridSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={GRID} {...{ [FIRST_POSTS_PLACE]: '' }}>
      <p role="status" className="sr-only">
        {t('loading')}
      </p>
      {SKELETONS.map((name) => (
        <PostCardSkeleton key={name} />
      ))}
    </div>
  );
}
