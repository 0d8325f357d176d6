import type { Confidence } from '#contract/posts.ts';
import type { Aspect, Evidence } from './evidence.ts';

/** The open posts among which the pair has to stand out. */
export type Competition = {
  /** The number of open posts on the opposite side of the post that is being matched. */
  openPosts: number;
  /** Returns the share of these posts that have a value such as "colour red"; null if unknown. */
  shareOf: (value: string) => number | null;
};

/** The competition in the data on which the evidence's points were tuned. Used if the current posts are unknown. */
export const TYPICAL_COMPETITION: Competition = { openPosts: 300, shareOf: () => null };

/** From this probability on, both people are notified. `docs/matching.md` says how often such a notice is right. */
const SURE = 0.8;
/** From this probability on, the pair is listed. */
const POSSIBLE = 0.03;
/** One point of evidence counts as this many bits. Each bit doubles the odds. */
const BITS_PER_POINT = 8;
/**
 * A rival of the explanation "these two posts are about one thing": another open post is the match, or the found thing
 * is a look-alike (somebody else's thing of the same kind, colour, make and place). `weights` multiply an aspect's
 * positive points, `against` its negative points; the default is 1. If the points add up to `evenPoints`, both
 * explanations are equally likely. The numbers were fitted, with cross-validation, to test posts by authors who did
 * not know the rules.
 */
type Weights = Partial<Record<Aspect, number>>;
type Opponent = { weights: Weights; against: Weights; evenPoints: number };
const OTHER_POSTS: Opponent = {
  weights: { thing: 0.35, colour: 0.6, look: 0.5, make: 0.7, place: 1.2, said: 1.2, owner: 1.2, concepts: 1.2 },
  against: { thin: 0 },
  evenPoints: 0.65,
};
/** Kind, colour, make and place count little, because every look-alike shares them. */
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
/**
 * The most bits by which the evidence can favour a look-alike over the lost thing. Without this limit, a pair with few
 * details would not be listed.
 */
const MOST_LOOK_ALIKE_BITS = 4;
/**
 * If there are fewer open posts, this number of posts is assumed, because not all finders and owners have posted yet.
 */
const FEWEST_OPEN_POSTS = 70;
/**
 * The bits by which the odds fall if the number of open posts doubles. Above 1, because people lose similar things in
 * the same towns: twice as many posts contain more than twice as many similar ones.
 */
const CROWDING = 1.15;
/**
 * The bits by which the odds against look-alikes fall if the number of open posts doubles beyond the typical number.
 * Small, because few of these further posts are look-alikes.
 */
const LOOK_ALIKE_CROWDING = 0.3;
/**
 * How common a value of each kind usually is: one open post in ten has a given colour. A shared value that is rarer
 * than usual adds to the odds, a more common one reduces them.
 */
const TYPICAL_SHARES: Record<string, number> = { thing: 0.03, colour: 0.1, brand: 0.04, place: 0.02 };
/**
 * The most bits that the share of one value adds to or removes from the odds. Limited, because a share computed from
 * few posts is unreliable.
 */
const MOST_RARITY_BITS = 2.5;

/** Returns the probability that the two posts are about one thing. Other open posts and look-alikes lower it. */
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

/**
 * Returns how many bits the shared values add to the odds: a positive number for rare values, a negative one for common
 * values.
 */
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
