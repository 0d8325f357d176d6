import type { Confidence } from '#contract/posts.ts';
import type { Aspect, Evidence } from './evidence.ts';

/** The open posts that a pair stands out from. */
export type Competition = {
  /** Open posts of the other kind. */
  openPosts: number;
  /** The share of them that has the value (as `valuesOf` names it); null where it is not known. */
  shareOf: (value: string) => number | null;
};

/** The posts that the points were weighed on; the competition where nothing better is known. */
export const TYPICAL_COMPETITION: Competition = { openPosts: 300, shareOf: () => null };

/** From this probability on both people are told; docs/matching.md says what that yields. */
const SURE = 0.8;
/** Less is not worth a look. */
const POSSIBLE = 0.03;
/** Log likelihood ratios to the base of two. */
const BITS_PER_POINT = 8;
/**
 * A pair is told apart from whatever else is open, and from somebody else's thing of the same kind, colour and make that
 * was lost in the same place. Of what speaks for it each aspect counts for so much against either, and of what speaks against
 * it; what is not named counts in full. Candidates are found by things and places, so that a thing says less than its points
 * among them, and a look-alike has the thing, the colour, the make and the place too: there only what is said beyond these
 * counts, and that a thing is called by another word says less than that another number stands on it. Fitted, with the two sums at which a pair is as
 * likely as not, to pairs and look-alikes that people wrote who had seen no rule of this, each of their sets held out in turn.
 */
type Weights = Partial<Record<Aspect, number>>;
type Opponent = { weights: Weights; against: Weights; evenPoints: number };
const OTHER_POSTS: Opponent = {
  weights: { thing: 0.35, colour: 0.6, look: 0.5, make: 0.7, place: 1.2, said: 1.2, owner: 1.2, concepts: 1.2 },
  against: { thin: 0 },
  evenPoints: 0.65,
};
const LOOK_ALIKES: Opponent = {
  weights: {
    thing: 0,
    colour: 0.1,
    look: 0.2,
    make: 0.2,
    place: 0.1,
    attributes: 0.4,
    concepts: 0.1,
    words: 0.3,
    values: 0.7,
    parts: 0.4,
    features: 0.9,
    owner: 1.2,
  },
  against: { thing: 0.5, denied: 0.6, parts: 1.5, values: 1.8, writing: 1.25, contents: 1.2, issuer: 1.5 },
  evenPoints: 0.03,
};
/** So much may speak for a look-alike before the pair is no longer worth a look. */
const MOST_LOOK_ALIKE_BITS = 4;
/** Few posts are not yet all that people have lost. */
const FEWEST_OPEN_POSTS = 70;
/** People lose the same things in the same towns: twice as many posts hold more than twice as many that are alike. */
const CROWDING = 1.15;
/** Beyond the typical number of posts, most of what is added is no look-alike. */
const LOOK_ALIKE_CROWDING = 0.3;
/** The share at which a value is worth just the points that it is given. */
const TYPICAL_SHARES: Record<string, number> = { thing: 0.03, colour: 0.1, brand: 0.04, place: 0.02 };
/** A count of a few posts is not to be trusted further. */
const MOST_RARITY_BITS = 2.5;

/** The odds against the pair are those of another post and those of a look-alike together. */
export function probabilityOf(aspects: Partial<Record<Aspect, Evidence>>, competition: Competition): number {
  const all = Object.entries(aspects) as Array<[Aspect, Evidence]>;
  const rarity = rarityBits(new Set(all.flatMap(([, evidence]) => evidence.agreed ?? [])), competition);
  const crowd = Math.log2(Math.max(competition.openPosts, FEWEST_OPEN_POSTS) / TYPICAL_COMPETITION.openPosts);
  const amongPosts = bitsAgainst(OTHER_POSTS, all) - CROWDING * crowd + rarity;
  const crowdOfLookAlikes = crowd < 0 ? crowd : LOOK_ALIKE_CROWDING * crowd;
  const amongLookAlikes = bitsAgainst(LOOK_ALIKES, all) - crowdOfLookAlikes + Math.max(rarity, 0);
  return 1 / (1 + 2 ** -amongPosts + 2 ** -Math.max(amongLookAlikes, -MOST_LOOK_ALIKE_BITS));
}

function bitsAgainst({ weights, against, evenPoints }: Opponent, aspects: Array<[Aspect, Evidence]>): number {
  const points = aspects.reduce((sum, [aspect, evidence]) => {
    return sum + evidence.points * ((evidence.points > 0 ? weights : against)[aspect] ?? 1);
  }, 0);
  return (points - evenPoints) * BITS_PER_POINT;
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
