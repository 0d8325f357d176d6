import type { ReactNode } from 'react';
import type { Post } from '#contract/posts.ts';
import { PostBadges } from '#web/ui/post-badges.tsx';
import { PostFacts } from '#web/ui/post-facts.tsx';
import { PostLink } from '#web/ui/post-link.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';

/**
 * A post in a grid, green once its thing is returned.
 * @param more a button at its corner, for what few need.
 * @param children its actions.
 */
export function PostCard({ post, more, children }: { post: Post; more?: ReactNode; children: ReactNode }) {
  const look = post.is_found ? 'border-found bg-found-soft/50' : '';
  return (
    <article className={`card flex h-full flex-col gap-3 p-4! ${look}`}>
      <div className="flex items-start justify-between gap-2">
        <PostBadges post={post} />
        {more}
      </div>
      <h2 className="break-words text-lg leading-snug">
        <PostLink post={post} />
      </h2>
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

/** The place of a card that is still on its way: the same shape, so that nothing jumps. */
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
