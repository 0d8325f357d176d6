import type { PostKind } from '#contract/posts.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { readKind } from './reading/read-kind.ts';
import { type MatchablePost, readPost } from './reading/read-post.ts';

/** What a post is about as far as its text says. Never throws: a text that cannot be read may still be posted. */
export function deriveKind(post: Omit<MatchablePost, 'created_at'>): PostKind {
  try {
    return readKind(readPost({ ...post, created_at: Date.now() }));
  } catch (error) {
    log.error('kind_not_read', { name: errorName(error) });
    return 'other';
  }
}
