import { useQuery } from '@tanstack/react-query';
import type { Post } from '#contract/posts.ts';
import { postOptions } from '#web/posts/queries.ts';

/**
 * Returns a post as a visitor sees it: the shared text must not contain what visitors cannot see. Null for a
 * community's post, which only members can read.
 */
export function useSharedPost(post: Post) {
  const isPublic = post.community_code === null;
  const query = useQuery({ ...postOptions(null, post.id), enabled: isPublic });
  return { ...query, post: isPublic ? query.data : null };
}
