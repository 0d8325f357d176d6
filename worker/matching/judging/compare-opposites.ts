import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Detail } from '#worker/matching/reading/read-details.ts';
import type { Evidence } from './evidence.ts';
import { withoutReason } from './evidence.ts';

/** A part may be long and the whole short: one such answer decides nothing by itself. */
const OPPOSITE_POINTS = -0.5;
const MOST_POINTS = -1;

/** Questions to which the two give answers that exclude each other, and none in common. */
export function compareOpposites(lost: Detail[], found: Detail[]): Evidence {
  const [left, right] = [new Set(lost.flat()), new Set(found.flat())];
  const opposed = getLexicon().opposites.filter((answers) => {
    const given = (said: ReadonlySet<string>): number[] =>
      answers.flatMap((answer, at) => ([...answer].some((key) => said.has(key)) ? [at] : []));
    const [ofLost, ofFound] = [given(left), given(right)];
    return ofLost.length > 0 && ofFound.length > 0 && !ofLost.some((at) => ofFound.includes(at));
  });
  return withoutReason(Math.max(opposed.length * OPPOSITE_POINTS, MOST_POINTS));
}
