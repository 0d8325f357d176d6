import { Link } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { postPath } from '#web/lib/paths.ts';

/** A post's title, which leads to its page. */
export function PostLink({ post: { id, title } }: { post: Pick<Post, 'id' | 'title'> }) {
  return (
    <Link to={postPath(id)} dir="auto" className="block underline-offset-4 hover:underline">
      {title}
    </Link>
  );
}
