import type { Post } from '#contract/posts.ts';
import { Contact } from './contact.tsx';
import { PostCard } from './post-card.tsx';
import { MoreOfPost } from './report-and-block.tsx';

/** A post in the list of all of them. The build makes the Worker's cards from it (app/card-templates.tsx). */
export function FoundPost({ post }: { post: Post }) {
  return (
    <PostCard post={post} more={<MoreOfPost post={post} />}>
      <Contact post={post} />
    </PostCard>
  );
}
