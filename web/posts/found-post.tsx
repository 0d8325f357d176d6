import type { Post } from '#contract/posts.ts';
import { Contact } from './contact.tsx';
import { PostCard } from './post-card.tsx';
import { MoreOfPost } from './report-and-block.tsx';

/** A post in the list of all of them. What a visitor sees of it the Worker renders too (worker/discover/render-posts.ts). */
export function FoundPost({ post }: { post: Post }) {
  return (
    <PostCard post={post} more={<MoreOfPost post={post} />}>
      <Contact post={post} />
    </PostCard>
  );
}
