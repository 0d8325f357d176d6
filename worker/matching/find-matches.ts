import type { PostMatch } from '#worker/contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import type { Viewer } from '#worker/http/viewer.ts';
import { assertAuthor, presentPost } from '#worker/posts/post-rules.ts';
import { findPost } from '#worker/posts/store.ts';
import { judgeCandidates } from './match-post.ts';

/**
 * What `GET /api/posts/{id}/matches` answers: the open posts of the other kind that match one's own, best first.
 * @throws AppError post_not_found or forbidden: only the author asks.
 */
export async function findMatches(db: Db, viewer: Viewer, postId: string): Promise<PostMatch[]> {
  const post = assertAuthor(await findPost(db, viewer, postId), viewer);
  if (post.is_found) return [];
  const matches = await judgeCandidates(db, post);
  return matches.map(({ candidate, score, reasons }) => ({ Post: presentPost(candidate, viewer), score, reasons }));
}
