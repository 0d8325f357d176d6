import type { Feature } from '#worker/matching/reading/read-features.ts';
import { comparePartCounts, isSameWord } from './compare-details.ts';
import { compareAttributes, compareColours } from './compare-items.ts';
import { isSameDetail } from './compare-said.ts';
import type { Evidence } from './evidence.ts';
import { addEvidence, NO_EVIDENCE, withoutReason } from './evidence.ts';

/** What is said of a part says less than what is said of the thing. */
const FEATURE_SHARE = 0.8;
/** What stands on a part, or whose it is. */
const SAME_NAME_POINTS = 0.2;
const OTHER_NAME_POINTS = -0.9;
const LEAST_POINTS = -1;
const MOST_POINTS = 0.4;

/** Yellow hair and black hair, three red stones and a blue one; two things that both name are compared as parts. */
export function compareFeatures(lost: Feature[], found: Feature[]): Evidence {
  const used = new Set<Feature>();
  const compared = lost.flatMap((a) => {
    const b = found.find((other) => !used.has(other) && isSameDetail(a.keys, other.keys));
    if (b === undefined) return [];
    used.add(b);
    const names = compareNames(a.names, b.names);
    if (a.isThing && b.isThing) return [names];
    return [
      names,
      compareColours(a.colours, b.colours, false),
      compareAttributes(a.attributes, b.attributes),
      comparePartCounts(a, b),
    ];
  });
  const points = addEvidence(compared.flat()).points * FEATURE_SHARE;
  return withoutReason(Math.min(MOST_POINTS, Math.max(LEAST_POINTS, points)));
}

/** A Chelsea lanyard and an Arsenal one; the tags of two offices. */
function compareNames(lost: string[], found: string[]): Evidence {
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const isShared = lost.some((a) => found.some((b) => isSameWord(a, b)));
  return withoutReason(isShared ? SAME_NAME_POINTS : OTHER_NAME_POINTS);
}
