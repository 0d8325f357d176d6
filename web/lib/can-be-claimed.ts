import type { Post } from '#contract/posts.ts';

/** Whether a reader can say of it that it is theirs: somebody else has found it, and still has it. */
export function canBeClaimed(post: Pick<Post, 'posted_by' | 'is_mine' | 'is_found' | 'is_hidden'>): boolean {
  return post.posted_by === 'finder' && !post.is_mine && !post.is_found && !post.is_hidden;
}
