import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameWord } from './compare-details.ts';
import type { Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

const OTHER_MAKER_POINTS = -0.7;

/** An open list contradicts too: where both name a make, and one at least is in no list, the names must be alike. */
export function compareMakers(lost: PostReading, found: PostReading): Evidence {
  if (lost.makers.length + found.makers.length === 0) return NO_EVIDENCE;
  const [left, right] = [namesOf(lost), namesOf(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const isIn = (names: string[], text: string[]): boolean => names.some((a) => text.some((b) => isSameWord(a, b)));
  return isIn(left, [...right, ...found.text]) || isIn(right, lost.text)
    ? NO_EVIDENCE
    : withoutReason(OTHER_MAKER_POINTS);
}

function namesOf(post: PostReading): string[] {
  return [...post.makers, ...post.heads.flatMap((head) => [...head.brands].map((brand) => brand.toLowerCase()))];
}
