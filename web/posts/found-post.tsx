import type { Post } from '#contract/posts.ts';
import { BlockAuthor } from './block-author.tsx';
import { Contact } from './contact.tsx';
import { PostCard } from './post-card.tsx';
import { ReportPost } from './report-post.tsx';

/** A post in the list of all of them. What a visitor sees of it the Worker renders too (worker/discover/render-posts.ts). */
export function FoundPost({ post }: { post: Post }) {
  return (
    <PostCard post={post}>
      <Contact post={post} />
      <div className="flex flex-wrap gap-x-2 empty:hidden">
        <ReportPost post={post} />
        <BlockAuthor post={post} />
      </div>
    </PostCard>
  );
}
