import { type Judgement, judgePair, weighPair } from './judging/match-rules.ts';
import type { Reason } from './lexicon/word-reasons.ts';
import type { CandidateRow } from './match-types.ts';
import type { PostReading } from './reading/read-post.ts';

/** Above whatever the texts can say. */
const CERTAIN_SCORE = 0.999;

/**
 * What makes two posts of one thing whatever their texts say: that its finder names the other post, or a number that
 * stands in both. A number may be typed wrong, and somebody else's: where the owners' names contradict it is only possible.
 * @returns null where there is nothing of it.
 */
export function judgeCertain(
  { is_named, shares_identifier }: Pick<CandidateRow, 'is_named' | 'shares_identifier'>,
  lost: PostReading,
  found: PostReading,
): Judgement | null {
  const certain: Reason[] = [
    ...(is_named === 1 ? [{ kind: 'named_by_finder' } as const] : []),
    ...(shares_identifier === 1 ? [{ kind: 'same_identifier' } as const] : []),
  ];
  if (certain.length === 0) return null;
  const isContradicted = (weighPair(lost, found).owner?.points ?? 0) < 0;
  return {
    confidence: is_named === 1 || !isContradicted ? 'sure' : 'possible',
    score: CERTAIN_SCORE,
    reasons: [...certain, ...judgePair(lost, found).reasons],
  };
}
