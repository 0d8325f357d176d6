import type { Confidence } from '#contract/matching.ts';
import type { Evidence } from './evidence.ts';

/** The open posts that a pair stands out from. */
export type Competition = {
  /** Open posts of the other kind. */
  openPosts: number;
  /** The share of them that has the value (as `valuesOf` names it); null where it is not known. */
  shareOf: (value: string) => number | null;
};

/** The posts that the points were weighed on; the competition where nothing better is known. */
export const TYPICAL_COMPETITION: Competition = { openPosts: 300, shareOf: () => null };

/** From this probability on both people are told; docs/benchmarks.md says what that yields. */
const SURE = 0.8;
/** Less is not worth a look. */
const POSSIBLE = 0.01;
/**
 * The points at which a pair is just sure among the typical number of posts: a little more than one thing of one colour in
 * one place. With what a point is worth, fitted to pairs and look-alikes that people wrote who had seen no rule of this.
 */
const SURE_POINTS = 1.25;
/** Log likelihood ratios to the base of two. */
const BITS_PER_POINT = 8;
/** Few posts are not yet all that people have lost. */
const FEWEST_OPEN_POSTS = 70;
/** People lose the same things in the same towns: twice as many posts hold more than twice as many that are alike. */
const CROWDING = 1.15;
/** The share at which a value is worth just the points that it is given. */
const TYPICAL_SHARES: Record<string, number> = { thing: 0.03, colour: 0.1, brand: 0.04, place: 0.02 };
/** A count of a few posts is not to be trusted further. */
const MOST_RARITY_BITS = 2.5;

export function probabilityOf(evidence: Evidence, competition: Competition): number {
  const bits =
    Math.log2(SURE / (1 - SURE)) +
    (evidence.points - SURE_POINTS) * BITS_PER_POINT -
    CROWDING * Math.log2(Math.max(competition.openPosts, FEWEST_OPEN_POSTS) / TYPICAL_COMPETITION.openPosts) +
    rarityBits(new Set(evidence.agreed), competition);
  return 1 / (1 + 2 ** -bits);
}

/** What agrees is worth more where few posts have it, and less where many do. */
function rarityBits(values: ReadonlySet<string>, { shareOf }: Competition): number {
  return [...values].reduce((sum, value) => {
    const share = shareOf(value);
    const typical = TYPICAL_SHARES[value.slice(0, value.indexOf(' '))];
    if (share === null || typical === undefined) return sum;
    return sum + Math.max(-MOST_RARITY_BITS, Math.min(MOST_RARITY_BITS, Math.log2(typical / share)));
  }, 0);
}

export function confidenceOf(score: number): Confidence | null {
  if (score >= SURE) return 'sure';
  return score >= POSSIBLE ? 'possible' : null;
}
