import * as z from 'zod/mini';
import type { Confidence } from '#contract/matching.ts';
import type { PostedBy } from '#contract/posts.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { type StoredPost, storedPostRow } from '#worker/posts/index.ts';
import type { Reason } from './lexicon/word-reasons.ts';

/** What a post is matched with. */
export function otherKind(postedBy: PostedBy): PostedBy {
  return postedBy === 'owner' ? 'finder' : 'owner';
}

/** A post with the time since which it waits to be matched; null when it does not. */
export const matchableRow = () => z.object({ ...storedPostRow().shape, match_pending_since: z.nullable(z.number()) });
export type MatchableRow = RowOf<typeof matchableRow>;

/**
 * A post with what was read in it, null when that was another version, or not yet; and what makes it the same thing
 * whatever was read: an identifier of both, or that a finder says so.
 */
export const candidateRow = () =>
  z.object({ ...storedPostRow().shape, reading: z.nullable(z.string()), shares_identifier: flag(), is_named: flag() });
export type CandidateRow = RowOf<typeof candidateRow>;

/** An open post of the other kind that describes the same thing. */
export type Match = {
  candidate: Pick<CandidateRow, keyof StoredPost | 'shares_identifier'>;
  confidence: Confidence;
  score: number;
  reasons: Reason[];
};
