import * as z from 'zod/mini';
import type { PostedBy } from '#contract/kinds.ts';
import type { Confidence } from '#contract/posts.ts';
import { flag, type RowOf } from '#worker/db/statements.ts';
import { type StoredPost, storedPostRow } from '#worker/posts/post-columns.ts';
import type { Reason } from './lexicon/word-reasons.ts';

/** Returns the other side: owners' posts are matched with finders' posts. */
export function otherKind(postedBy: PostedBy): PostedBy {
  return postedBy === 'owner' ? 'finder' : 'owner';
}

/** A post with the time since which it waits to be matched; null if it does not wait. */
export const matchableRow = () => z.object({ ...storedPostRow().shape, match_pending_since: z.nullable(z.number()) });
export type MatchableRow = RowOf<typeof matchableRow>;

/**
 * A post that may match another post. `reading` is null unless the post was analysed with the current `readingVersion`.
 * The two posts match in any case if they share an identifier, or if the finder made the found post with "I found this"
 * on the owner's post (`is_named`).
 */
export const candidateRow = () =>
  z.object({ ...storedPostRow().shape, reading: z.nullable(z.string()), shares_identifier: flag(), is_named: flag() });
export type CandidateRow = RowOf<typeof candidateRow>;

/** An open post of the other side that describes the same thing. */
export type Match = {
  candidate: Pick<CandidateRow, keyof StoredPost | 'shares_identifier'>;
  confidence: Confidence;
  score: number;
  reasons: Reason[];
};
