import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameWord } from './compare-details.ts';
import type { Evidence } from './evidence.ts';
import { addEvidence, NO_EVIDENCE, withoutReason } from './evidence.ts';

const OTHER_MAKER_POINTS = -0.7;
/** A club, a firm or a bank on it: another may stand there too. */
const OTHER_MARK_POINTS = -0.5;

/** An open list contradicts too: where both name a make, and one at least is in no list, the names must be alike. */
export function compareMakers(lost: PostReading, found: PostReading): Evidence {
  const isOpen = lost.makers.length + found.makers.length > 0;
  return addEvidence([
    isOpen ? compareNamed(lost, found, namesOf, OTHER_MAKER_POINTS) : NO_EVIDENCE,
    compareNamed(lost, found, (post) => post.makes, OTHER_MARK_POINTS),
  ]);
}

function compareNamed(
  lost: PostReading,
  found: PostReading,
  of: (post: PostReading) => string[],
  otherPoints: number,
): Evidence {
  const [left, right] = [of(lost), of(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const isIn = (names: string[], text: string[]): boolean => names.some((a) => text.some((b) => isSameWord(a, b)));
  return isIn(left, [...right, ...found.text]) || isIn(right, lost.text) ? NO_EVIDENCE : withoutReason(otherPoints);
}

function namesOf(post: PostReading): string[] {
  return [...post.makers, ...post.heads.flatMap((head) => [...head.brands].map((brand) => brand.toLowerCase()))];
}
