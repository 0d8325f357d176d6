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

const worthAmongOthers = (aspect: Aspect, points: number) => worth(aspect, points, CROWDED, { day: 1 });
/** With so much of what a look-alike shares, a look-alike alone is left. */
const worthBesideLookAlike = (aspect: Aspect, points: number) =>
  worth(aspect, points, TYPICAL, aspect === 'place' ? { said: -0.4, concepts: 4 } : { said: -0.4, place: 4 });

test.each<Aspect>(['thing', 'colour', 'look', 'make', 'place', 'concepts', 'attributes', 'words', 'parts'])(
  'an agreement in %s tells a pair from a look-alike less than from other posts',
  (aspect) => {
    const besideLookAlike = worthBesideLookAlike(aspect, 0.1);
    expect(besideLookAlike).toBeLessThan(worthAmongOthers(aspect, 0.1) - 0.2);
    expect(besideLookAlike).toBeGreaterThan(-0.01);
  },
);

test.each<Aspect>(['owner', 'number'])('an agreement in %s tells a pair from a look-alike in full', (aspect) => {
  expect(worthBesideLookAlike(aspect, 0.1)).toBeGreaterThan(0.9);
  expect(worthAmongOthers(aspect, 0.1)).toBeGreaterThan(0.9);
});

test.each<Aspect>(['parts', 'values', 'writing', 'contents', 'issuer'])(
  'a difference in %s speaks more against a look-alike than against other posts',
  (aspect) => {
    expect(worth(aspect, -0.1, TYPICAL, { place: 4 })).toBeGreaterThan(worthAmongOthers(aspect, -0.1) + 0.1);
  },
);

test.each<Aspect>(['thing', 'denied'])(
  'a difference in %s speaks less against a look-alike than against other posts',
  (aspect) => {
    expect(worth(aspect, -0.1, TYPICAL, { place: 4 })).toBeLessThan(worthAmongOthers(aspect, -0.1) - 0.1);
  },
);

test('the odds against a look-alike have a bound', () => {
  const difference = (count: number) => bits({ place: 9, count }, TYPICAL);
  expect(difference(-6)).toBeCloseTo(difference(-3), 1);
  expect(difference(-3)).toBeLessThan(difference(0));
});

test('a pair is more certain among fewer posts, down to a number below which fewer say nothing', () => {
  const among = (points: Points) => [600, 300, 150, 70].map((openPosts) => bits(points, { ...TYPICAL, openPosts }));
  for (const points of [{ day: 1.7 }, { place: 4 }]) {
    const odds = among(points);
    expect(odds.toSorted((a, b) => a - b)).toEqual(odds);
    expect(bits(points, { ...TYPICAL, openPosts: 1 })).toBeCloseTo(odds.at(-1) ?? 0, 5);
  }
});

test('a rare thing that agrees is worth more than a common one, within bounds', () => {
  const gained = (value: string, share: number) =>
    bits({ day: 1 }, { ...CROWDED, shareOf: () => share }, [value]) - bits({ day: 1 }, CROWDED);
  expect(gained('thing x', 0.015)).toBeGreaterThan(0);
  expect(gained('thing x', 0.06)).toBeLessThan(0);
  expect(gained('thing x', 0.0001)).toBeCloseTo(gained('thing x', 0.00001), 5);
  expect(gained('thing x', 0.9)).toBeCloseTo(gained('thing x', 0.8), 5);
  expect(gained('word x', 0.0001)).toBe(0);
});

test('a value that many have makes no look-alike likelier, and what nobody has counted says nothing', () => {
  const common = { ...TYPICAL, shareOf: () => 0.9 };
  expect(bits({ place: 4 }, common, ['thing x'])).toBeCloseTo(bits({ place: 4 }, TYPICAL), 1);
  expect(bits({ day: 1 }, CROWDED, ['thing x'])).toBe(bits({ day: 1 }, CROWDED));
});

test.each([
  [0.95, 'sure'],
  [0.4, 'possible'],
  [0.01, null],
])('a probability of %d is %s', (score, confidence) => expect(confidenceOf(score)).toBe(confidence));
