import type { MatchReason } from '#contract/posts.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import type { JudgedPair } from './measure-matching.ts';
import { follows, wordsOf } from './true-reasons.ts';

export type UntrueReason = { pair: JudgedPair; reason: MatchReason; unsaidBy: ('lost' | 'found')[] };

/** The displayed reasons that do not follow from the words of both posts, and how many reasons are displayed. */
export function findUntrueReasons(judged: readonly JudgedPair[]): { untrue: UntrueReason[]; shown: number } {
  const listed = judged.filter(({ judgement }) => judgement.confidence !== null);
  const untrue = listed.flatMap((pair) => {
    const words = { lost: wordsOf(pair.lost), found: wordsOf(pair.found) };
    return pair.judgement.reasons.flatMap(wordReason).flatMap((reason) => {
      const unsaidBy = (['lost', 'found'] as const).filter((side) => !follows(reason, words[side]));
      return unsaidBy.length === 0 ? [] : [{ pair, reason, unsaidBy }];
    });
  });
  return { untrue, shown: listed.reduce((sum, { judgement }) => sum + judgement.reasons.length, 0) };
}
