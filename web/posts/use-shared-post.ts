import { useQuery } from '@tanstack/react-query';
import type { Post } from '#contract/posts.ts';
import { postOptions } from '#web/lib/post-query.ts';

/**
 * A post as whoever is sent its link reads it: what it hides from visitors is not passed on by those who see it, its
 * author least of all. Null for a community's, of which nobody outside learns more than that it is there.
 */
export function useSharedPost(post: Post) {
  const isPublic = post.community_code === null;
  const query = useQuery({ ...postOptions(null, post.id), enabled: isPublic });
  return { ...query, post: isPublic ? query.data : null };
}
