import type { MatchCounts, PostMatch } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { assertAuthor, type NumberReader, presentPost, redactFor, redactReasons } from '#worker/posts/index.ts';
import { wordReasons } from './lexicon/word-reasons.ts';
import { matchPost } from './match-post.ts';
import { listMatchCounts, readWithPairs } from './pair-store.ts';

/**
 * What `GET /api/posts/{id}/matches` answers: the open posts of the other kind that match one's own, sure ones first,
 * best first. A post that was saved a moment ago is matched now: only a pair that is written can be answered to.
 * @throws AppError post_not_found or forbidden: only the author asks.
 */
export async function findMatches(
  env: Env,
  reader: NumberReader,
  viewer: Viewer,
  postId: string,
): Promise<PostMatch[]> {
  const asked = await readWithPairs(reader, viewer, postId);
  const post = assertAuthor(asked.row, viewer);
  if (post.is_found || post.hidden_by || post.away_since !== null) return [];
  const isPending = post.match_pending_since !== null;
  if (isPending) await matchPost(env, reader.db, postId);
  const { pairs, numbers } = isPending ? await readWithPairs(reader, viewer, postId) : asked;
  return pairs.map(({ pair_id, confidence, score, reasons, answer, ...match }) => ({
    pair_id,
    confidence,
    Post: presentPost(match, reader, numbers),
    score,
    reasons: redactReasons(wordReasons(reasons), redactFor('signed_in', match.kind)),
    answer,
  }));
}

/** What `GET /api/matches/counts` answers; see contract/posts.ts. */
export async function countMatches(db: Db, viewer: Viewer): Promise<MatchCounts> {
  const rows = await listMatchCounts(db, viewer);
  return Object.fromEntries(rows.map((row) => [row.id, row.count]));
}
