import { expect, test } from 'vitest';
import {
  closestHeads,
  compareAttributes,
  compareBelonging,
  compareColours,
  compareKinds,
  compareQualities,
} from '#worker/matching/judging/compare-items.ts';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';
import { mentionsOf } from '#worker/matching/reading/item-mention.ts';
import { AGAINST, expectInOrder, NOTHING } from './expect-in-order.ts';
import { read } from './make-post.ts';

test('colours', () => {
  const points = (lost: string[], found: string[], isAnimal = false): number =>
    compareColours(new Set(lost), new Set(found), isAnimal).points;
  expectInOrder([
    ['the same', points(['black'], ['black'])],
    ['one names a further one', points(['black', 'white'], ['black'])],
    ['near', points(['black'], ['dark-blue'])],
    NOTHING,
    ['each names a further one', points(['black', 'white'], ['black', 'red'])],
    ['another', points(['black'], ['white'])],
  ]);
  expect(points(['black'], ['white'])).toBeLessThan(-1);
  expect(points(['dark-blue'], ['blue'])).toBe(points(['blue'], ['blue']));
  expect(points(['black'], ['dark-blue'])).toBeLessThan(points(['black'], ['black']) / 2);
  expect(points(['black', 'dark-blue'], ['black'])).toBe(points(['black'], ['black']));
  expect([points([], ['black']), points(['black'], [])]).toEqual([0, 0]);
  expect(points(['black', 'white'], ['black'], true)).toBe(0);
});

test('kinds of thing', () => {
  const points = (lost: string, found: string): number => {
    const pair = closestHeads(read(lost).heads, read(found).heads);
    return pair === null ? Number.NaN : compareKinds(pair).points;
  };
  expectInOrder([
    ['the same, which few lose', points('Mwavuli', 'Umbrella')],
    ['the same, which many lose', points('Begi', 'Bag')],
    ['near', points('Pochi', 'Wallet')],
    ['wider', points('Kitambulisho', 'NIDA')],
    NOTHING,
  ]);
});

test('make, model and number of one thing', () => {
  const points = (lost: string, found: string): number => {
    const pair = closestHeads(read(lost).heads, read(found).heads);
    if (pair === null) return Number.NaN;
    const { make, count } = compareQualities(pair, [], []);
    return make.points + count.points;
  };
  const spark = 'Simu Tecno Spark 8';
  expectInOrder([
    ['series and number', points(spark, spark)],
    ['series', points(spark, 'Simu Tecno Spark')],
    ['make', points(spark, 'Simu Tecno')],
    NOTHING,
    ['another make', points(spark, 'Simu Itel')],
  ]);
  expect(points(spark, 'Simu Tecno Spark 9')).toBeLessThan(-1);
  expect(points(spark, 'Simu Itel')).toBe(CONTRADICTION);
  expect(points('Simu', 'Simu Itel')).toBe(0);
  expect(points('Mbuzi watatu', 'Three goats')).toBeGreaterThan(0);
  expect(points('Mbuzi mmoja', 'One goat')).toBe(0);
  expect(points('Mbuzi wawili', 'Three goats')).toBe(CONTRADICTION);
  expectInOrder([NOTHING, ['two of the three goats', points('Mbuzi watatu', 'Two goats')], AGAINST]);
  expectInOrder([NOTHING, ['more chairs', points('Viti viwili', 'Three chairs')], AGAINST]);
});

test('what sets one thing apart from another', () => {
  const points = (lost: string[], found: string[]): number => compareAttributes(new Set(lost), new Set(found)).points;
  expectInOrder([
    ['two shared', points(['leather', 'big'], ['leather', 'big'])],
    ['one shared', points(['leather'], ['leather'])],
    NOTHING,
    ['another size', points(['big'], ['small'])],
    ['another material', points(['leather'], ['plastic'])],
    ['of the other sex', points(['male'], ['female'])],
  ]);
  expect(points(['leather', 'big', 'male'], ['leather', 'big', 'male'])).toBe(
    points(['leather', 'big'], ['leather', 'big']),
  );
  expect(points(['leather'], ['big'])).toBe(0);
});

test('what it is of', () => {
  const points = (lost: string, found: string): number => {
    const [left, right] = [read(lost), read(found)];
    const pair = closestHeads(left.heads, right.heads);
    return pair === null ? Number.NaN : compareBelonging(pair, mentionsOf(left), mentionsOf(right)).points;
  };
  expectInOrder([
    ['the same', points('Mkanda wa mbuzi', 'Belt of a goat')],
    NOTHING,
    ['one says nothing', points('Mkanda wa mbuzi', 'Belt')],
    ['another', points('Tairi la baiskeli', 'Tyre of a car')],
  ]);
  expect(points('Mkanda wa mbuzi', 'Belt | my goat had it')).toBe(0);
  expect(points('Tyre of a car', 'Tyre')).toBe(0);
});
