import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FIRST_POSTS_PLACE } from '#contract/first-posts.ts';
import type { SearchPart } from '#contract/posts.ts';
import { type ListedPost, partOf } from '#web/posts/api.ts';
import { FoundBy, PostBadges, PostFacts, PostLink, Thumbnail } from './post-parts.tsx';

type PostCardProps = { post: ListedPost; search?: string; more?: ReactNode; children: ReactNode };

/**
 * A post in a grid, in green once it is returned.
 * @param search the search that found the post.
 * @param more a button for rare actions, in the corner of the card.
 * @param children the buttons of the card.
 */
export function PostCard({ post, search, more, children }: PostCardProps) {
  // Posts that contain the search's words come first, without a heading above them, so their titles are headings of
  // level 2. In the other parts of the results, the part's heading has level 2 and the titles level 3.
  const Heading = partOf(post) === 'words' ? 'h2' : 'h3';
  const look = post.is_found ? 'border-found bg-found-soft/50' : '';
  return (
    <article className={`card flex h-full flex-col gap-3 p-4! ${look}`}>
      <div className="flex items-start justify-between gap-2">
        <PostBadges post={post} />
        {more}
      </div>
      <Heading className="break-words font-bold text-lg leading-snug">
        <PostLink post={post} />
      </Heading>
      <FoundBy post={post} search={search} />
      <div className="flex gap-3">
        <Thumbnail post={post} />
        <PostFacts post={post} />
      </div>
      {post.description && (
        <p dir="auto" className="line-clamp-2 break-words">
          {post.description}
        </p>
      )}
      <div className="mt-auto grid gap-2 pt-1">{children}</div>
    </article>
  );
}

/** The skeleton of a card. It has the card's shape, so that nothing moves when the card appears. */
export function PostCardSkeleton() {
  return (
    <div className="card flex flex-col gap-3 p-4!" aria-hidden="true">
      <div className="skeleton h-6 w-24 rounded-full" />
      <div className="skeleton h-6 w-4/5" />
      <div className="skeleton h-4 w-1/2" />
      <div className="skeleton h-4 w-1/3" />
      <div className="skeleton h-12 w-full" />
      <div className="skeleton h-11 w-full rounded-xl" />
    </div>
  );
}

const GRID = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';
const SKELETONS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** The list of /view-posts. The prerendered page has the same markup. */
export function Feed({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  const { t } = useTranslation('posts');
  return (
    <section aria-label={t('results')} aria-busy={isBusy} className="grid gap-4">
      {children}
    </section>
  );
}

const PARTS: readonly SearchPart[] = ['words', 'meaning', 'near'];

/**
 * Shows the results of a search in groups: posts that contain its words come first, without a heading, then posts with
 * the same meaning, and then posts with a related meaning.
 */
export function SearchParts({
  posts,
  children,
}: {
  posts: ListedPost[];
  children: (posts: ListedPost[]) => ReactNode;
}) {
  const { t } = useTranslation('posts');
  return PARTS.map((part) => {
    const found = posts.filter((post) => partOf(post) === part);
    if (found.length === 0) return null;
    return (
      <Fragment key={part}>
        {part !== 'words' && <h2 className="mt-3">{t(`parts.${part}`)}</h2>}
        {children(found)}
      </Fragment>
    );
  });
}

type PostGridProps = { posts: ListedPost[]; renderCard: (post: ListedPost) => ReactNode };

export function PostGrid({ posts, renderCard }: PostGridProps) {
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
