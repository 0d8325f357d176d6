import type { MatchReason } from '#contract/matching.ts';
import type { MatchCounts, PostMatch } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { assertAuthor, presentPost } from '#worker/posts/index.ts';
import { judgeCandidates } from './match-post.ts';
import { listMatchCounts, readWithPairs } from './pair-store.ts';
import { readPost } from './reading/read-post.ts';

/**
 * What `GET /api/posts/{id}/matches` answers: the open posts of the other kind that match one's own, best first.
 * As a rule they have been written down; for a post that was saved a moment ago they are judged here and now.
 * @throws AppError post_not_found or forbidden: only the author asks.
 */
export async function findMatches(db: Db, viewer: Viewer, postId: string): Promise<PostMatch[]> {
  const { row, pairs } = await readWithPairs(db, viewer, postId);
  const post = assertAuthor(row, viewer);
  if (post.is_found) return [];
  if (post.match_pending_since !== null) {
    const matches = await judgeCandidates(db, post, readPost(post));
    return matches.map(({ candidate, score, reasons }) => ({ Post: presentPost(candidate, viewer), score, reasons }));
  }
  return pairs.map(({ score, reasons, ...match }) => ({
    Post: presentPost(match, viewer),
    score,
    reasons: JSON.parse(reasons) as MatchReason[],
  }));
}

/** What `GET /api/matches/counts` answers; see contract/notices.ts. */
export async function countMatches(db: Db, viewer: Viewer): Promise<MatchCounts> {
  const rows = await listMatchCounts(db, viewer);
  return Object.fromEntries(rows.map((row) => [row.id, row.count]));
}
