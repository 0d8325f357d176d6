import type { MatchReason } from '#worker/contract/matching.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { handOverNotices } from '#worker/notices/hand-over.ts';
import type { PostRow } from '#worker/posts/post-rules.ts';
import { judgePair } from './match-rules.ts';
import { readPost } from './read-post.ts';
import { findCandidates, insertPairs, readPending, storeTerms } from './store.ts';

export type Match = { candidate: PostRow; score: number; reasons: MatchReason[] };

/**
 * Matches one saved post with the open posts of the other kind, writes the pairs and hands their notices over.
 * Every step may be repeated: a pair is written once, and a mailbox ignores what it has. What is cut off between
 * two steps stays marked in D1 and is finished by the sweep (`finishMatching`).
 */
export async function matchPost(env: Env, db: Db, postId: string): Promise<void> {
  const post = await readPending(db, postId);
  if (!post) return;
  await storeTerms(db, post);
  const matches = await judgeCandidates(db, post);
  const noticeIds = await insertPairs(db, post, matches, Date.now());
  await handOverNotices(env, db, noticeIds);
}

/** The open posts of the other kind that describe the same thing, best first. */
export async function judgeCandidates(db: Db, post: PostRow): Promise<Match[]> {
  const reading = readPost(post);
  const candidates = await findCandidates(db, post, reading);
  return candidates
    .map((candidate) => {
      const other = readPost(candidate);
      const [lost, found] = post.posted_by === 'owner' ? [reading, other] : [other, reading];
      return { candidate, ...judgePair(lost, found) };
    })
    .filter((judged) => judged.isMatch)
    .sort((left, right) => right.score - left.score || right.candidate.seq - left.candidate.seq);
}
