import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';
import type { FixturePair } from './read-fixtures.ts';

export type Judged = { pair: FixturePair; isMatch: boolean; score: number; why: string; sharesTerm: boolean };

export type Figures = {
  judged: Judged[];
  recall: number;
  precision: number;
  /** The true partner is the best of all found posts in the set. */
  recallAtFirst: number;
  /** True pairs that the index brings together. */
  candidateRecall: number;
  /** Matches between posts of different pairs, and how many such combinations there are. */
  crossMatches: Array<{ lost: string; found: string; score: number; why: string }>;
  crossPairs: number;
};

export function measureMatching(pairs: FixturePair[]): Figures {
  const lost = pairs.map((pair) => readPost(pair.lost));
  const found = pairs.map((pair) => readPost(pair.found));
  const judged: Judged[] = [];
  const crossMatches: Figures['crossMatches'] = [];
  let firsts = 0;
  pairs.forEach((pair, index) => {
    let own = 0;
    let bestOther = 0;
    pairs.forEach((other, at) => {
      const [left, right] = [lost[index], found[at]];
      if (left === undefined || right === undefined) return;
      const { confidence, score, reasons } = judgePair(left, right);
      const isMatch = confidence === 'sure';
      const why = reasons.map((reason) => `${reason.kind}: ${reason.en}`).join(', ');
      if (at === index) {
        own = score;
        const stored = new Set(indexTerms(right));
        const storedOfLost = new Set(indexTerms(left));
        const sharesTerm =
          lookupTerms(left).some((term) => stored.has(term)) &&
          lookupTerms(right).some((term) => storedOfLost.has(term));
        judged.push({ pair, isMatch, score, why, sharesTerm });
        return;
      }
      if (other.isSame) bestOther = Math.max(bestOther, score);
      if (isMatch) crossMatches.push({ lost: pair.id, found: other.id, score, why });
    });
    if (pair.isSame && own > 0 && own > bestOther) firsts += 1;
  });
  return {
    judged,
    ...rates(judged),
    recallAtFirst: firsts / count(judged, true),
    crossMatches,
    crossPairs: pairs.length * (pairs.length - 1),
  };
}

export function rates(judged: Judged[]): Pick<Figures, 'recall' | 'precision' | 'candidateRecall'> {
  const told = judged.filter((one) => one.isMatch);
  const right = told.filter((one) => one.pair.isSame).length;
  const reached = judged.filter((one) => one.pair.isSame && one.sharesTerm).length;
  return {
    recall: right / Math.max(count(judged, true), 1),
    precision: told.length === 0 ? 1 : right / told.length,
    candidateRecall: reached / Math.max(count(judged, true), 1),
  };
}

function count(judged: Judged[], isSame: boolean): number {
  return judged.filter((one) => one.pair.isSame === isSame).length;
}
