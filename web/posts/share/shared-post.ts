import { useQuery } from '@tanstack/react-query';
import type { Post } from '#contract/posts.ts';
import { postOptions } from '#web/posts/queries.ts';

/**
 * Loads a post as visitors see it, because anybody may get the shared text. The returned `post` is null if only a
 * community's members see the post.
 */
export function useSharedPost(post: Post) {
  const isPublic = post.community_code === null;
  const query = useQuery({ ...postOptions(null, post.id), enabled: isPublic });
  return { ...query, post: isPublic ? query.data : null };
}
