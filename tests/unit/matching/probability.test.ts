import { expect, test } from 'vitest';
import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { type Competition, confidenceOf, probabilityOf } from '#worker/matching/judging/probability.ts';

type Points = Partial<Record<Aspect, number>>;

const BITS_PER_POINT = 8;
/** Among so many posts another one is likelier than a look-alike. */
const CROWDED: Competition = { openPosts: 300 * 2 ** 10, shareOf: () => null };
const TYPICAL: Competition = { openPosts: 300, shareOf: () => null };

/** The odds of a pair to the base of two. */
function bits(points: Points, competition: Competition, agreed: string[] = []): number {
  const aspects = Object.fromEntries(
    Object.entries(points).map(([aspect, count]) => [aspect, { points: count, reasons: [], agreed }]),
  );
  const probability = probabilityOf(aspects, competition);
  return Math.log2(probability / (1 - probability));
}

/** What a point of the aspect is worth in points that count in full. */
function worth(aspect: Aspect, points: number, competition: Competition, beside: Points): number {
  const all = bits({ ...beside, [aspect]: points }, competition);
  return (all - bits(beside, competition)) / (points * BITS_PER_POINT);
}

test.each<[Aspect, ofOthers: number, ofLookAlikes: number]>([
  ['thing', 0.35, 0],
  ['colour', 0.6, 0.1],
  ['look', 0.5, 0.2],
  ['make', 0.7, 0.2],
  ['place', 1.2, 0.1],
  ['concepts', 1.2, 0.1],
  ['owner', 1.2, 1.2],
  ['said', 1.2, 1],
  ['attributes', 1, 0.4],
  ['words', 1, 0.3],
  ['values', 1, 0.7],
  ['parts', 1, 0.4],
  ['features', 1, 0.9],
  ['number', 1, 1],
])('%s tells a pair from other posts by %d and from a look-alike by %d', (aspect, ofOthers, ofLookAlikes) => {
  expect(worth(aspect, 0.1, CROWDED, { day: 1 })).toBeCloseTo(ofOthers, 1);
  // With so much of what a look-alike shares it alone is left.
  const shared: Points = aspect === 'place' ? { said: -0.4, concepts: 4 } : { said: -0.4, place: 4 };
  const beside = aspect === 'said' ? { place: 4 } : shared;
  expect(worth(aspect, 0.1, TYPICAL, beside)).toBeCloseTo(ofLookAlikes, 1);
});

test.each<[Aspect, ofOthers: number, ofLookAlikes: number]>([
  ['thin', 0, 1],
  ['thing', 1, 0.5],
  ['denied', 1, 0.6],
  ['parts', 1, 1.5],
  ['values', 1, 1.8],
  ['writing', 1, 1.25],
  ['contents', 1, 1.2],
  ['issuer', 1, 1.5],
  ['count', 1, 1],
])('%s speaks against other posts by %d and against a look-alike by %d', (aspect, ofOthers, ofLookAlikes) => {
  expect(worth(aspect, -0.1, CROWDED, { day: 1 })).toBeCloseTo(ofOthers, 1);
  expect(worth(aspect, -0.1, TYPICAL, { place: 4 })).toBeCloseTo(ofLookAlikes, 1);
});

test('with nothing beyond what is even, another post is as likely as the pair', () => {
  expect(bits({ day: 0.65 }, CROWDED)).toBeCloseTo(-11.5, 1);
  expect(bits({ place: 4, day: 0.13 }, TYPICAL)).toBeCloseTo(0.5 * BITS_PER_POINT, 1);
});

test('a look-alike is never beyond four bits against a pair', () => {
  expect(bits({ place: 9, count: -3 }, TYPICAL)).toBeCloseTo(-4, 1);
});

test.each([
  [600, -1.15, -0.3],
  [150, 1.15, 1],
  [70, 2.42, 2.1],
  [1, 2.42, 2.1],
])('among %i posts the odds of another move by %d bits, of a look-alike by %d', (openPosts, ofOther, ofLookAlike) => {
  const moved = (points: Points) => bits(points, { ...TYPICAL, openPosts }) - bits(points, TYPICAL);
  expect(moved({ day: 1.7 })).toBeCloseTo(ofOther, 1);
  expect(moved({ place: 4 })).toBeCloseTo(ofLookAlike, 1);
});

test.each([
  ['thing x', 0.03, 0],
  ['colour x', 0.1, 0],
  ['brand x', 0.04, 0],
  ['place x', 0.02, 0],
  ['thing x', 0.015, 1],
  ['thing x', 0.06, -1],
  ['thing x', 0.0001, 2.5],
  ['thing x', 0.9, -2.5],
  ['word x', 0.0001, 0],
])('%s, which a share of %d has, is worth %d bits more', (value, share, more) => {
  const gained = bits({ day: 1 }, { ...CROWDED, shareOf: () => share }, [value]) - bits({ day: 1 }, CROWDED);
  expect(gained).toBeCloseTo(more, 1);
});

test('a value that many have makes no look-alike likelier, and what nobody has counted says nothing', () => {
  const common = { ...TYPICAL, shareOf: () => 0.9 };
  expect(bits({ place: 4 }, common, ['thing x'])).toBeCloseTo(bits({ place: 4 }, TYPICAL), 1);
  expect(bits({ day: 1 }, CROWDED, ['thing x'])).toBe(bits({ day: 1 }, CROWDED));
});

test.each([
  [0.8, 'sure'],
  [0.799, 'possible'],
  [0.03, 'possible'],
  [0.029, null],
])('a probability of %d is %s', (score, confidence) => expect(confidenceOf(score)).toBe(confidence));
