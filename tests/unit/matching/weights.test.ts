import { expect, test } from 'vitest';
import { compareContents } from '#worker/matching/judging/compare-contents.ts';
import { compareParts, compareWords } from '#worker/matching/judging/compare-details.ts';
import { compareIssuers } from '#worker/matching/judging/compare-issuers.ts';
import {
  closestHeads,
  compareAttributes,
  compareBelonging,
  compareColours,
  compareKinds,
  compareQualities,
} from '#worker/matching/judging/compare-items.ts';
import { compareOwners } from '#worker/matching/judging/compare-names.ts';
import {
  compareAmounts,
  compareDays,
  compareIdentifiers,
  compareMeasures,
} from '#worker/matching/judging/compare-numbers.ts';
import { comparePlaces } from '#worker/matching/judging/compare-places.ts';
import { mentionsOf } from '#worker/matching/judging/compare-things.ts';
import type { Evidence } from '#worker/matching/judging/evidence.ts';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';
import { readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';
import type { Person } from '#worker/matching/reading/read-names.ts';
import { read } from './make-post.ts';

/*
 * The weights may be moved; what is worth more than what may not. Each list runs from what speaks most for one thing to
 * what speaks most against it.
 */
function expectInOrder(list: Array<[what: string, points: number]>): void {
  const sorted = [...list].sort(([, a], [, b]) => b - a);
  expect(sorted.map(([what]) => what)).toEqual(list.map(([what]) => what));
  expect(new Set(list.map(([, points]) => points)).size).toBe(list.length);
}

const NOTHING: [string, number] = ['nothing', 0];
const AGAINST: [string, number] = ['a contradiction', CONTRADICTION];

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
  expect(points(['black'], ['white'])).toBe(CONTRADICTION);
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
    const { make, count } = compareQualities(pair);
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
  expect(points('Mbuzi watatu', 'Two goats')).toBe(CONTRADICTION);
  expectInOrder([NOTHING, ['other chairs', points('Viti vitatu', 'Two chairs')], AGAINST]);
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
    ['the same', points('Kamba ya mbuzi', 'Rope of a goat')],
    NOTHING,
    ['one says nothing', points('Kamba ya mbuzi', 'Rope')],
    ['another', points('Tairi la baiskeli', 'Tyre of a car')],
  ]);
  expect(points('Kamba ya mbuzi', 'Rope | my goat had it')).toBe(0);
  expect(points('Tyre of a car', 'Tyre')).toBe(0);
});

test('names of the owner', () => {
  const person = (names: string, certainty: Person['certainty'] = 'said'): Person => ({
    names: names.split(' '),
    certainty,
  });
  const points = (lost: string, found: string): number => compareOwners([person(lost)], [person(found)], false).points;
  expectInOrder([
    ['four', points('asha juma omari mushi', 'asha juma omari mushi')],
    ['three', points('asha juma omari', 'asha juma omari')],
    ['two', points('asha juma', 'asha juma')],
    ['one', points('asha', 'asha')],
    NOTHING,
    ['another', points('asha juma', 'neema komba')],
  ]);
  expect(points('asha juma', 'asha juma')).toBeGreaterThan(1);
  expect(points('asha', 'asha')).toBeLessThan(0.5);
  const seen = compareOwners([person('asha juma', 'seen')], [person('neema komba')], false).points;
  expectInOrder([NOTHING, ['only seen', seen], AGAINST]);
  expect(compareOwners([person('asha juma', 'seen')], [person('neema komba')], true).points).toBe(CONTRADICTION);
});

test('a couple counts for more than one of them, and another couple is none', () => {
  const people = (...names: string[]): Person[] => names.map((name) => ({ names: name.split(' '), certainty: 'said' }));
  const points = (lost: Person[], found: Person[]): number => compareOwners(lost, found, true).points;
  const couple = people('peter', 'esther');
  expect(points(couple, people('esther', 'peter'))).toBeGreaterThan(points(couple, people('peter')));
  expect(points(couple, people('peter', 'agnes'))).toBe(CONTRADICTION);
  const named = people('peter komba', 'esther mushi');
  expect(points(named, people('peter komba'))).toBe(points(people('peter komba'), people('peter komba')));
  expect(points(people('asha juma', 'asha hassan'), people('asha'))).toBe(points(people('asha'), people('asha')));
  expect(points(people('asha'), people('asha juma', 'asha hassan'))).toBe(points(people('asha'), people('asha')));
  expect(points(people('peter komba'), named)).toBe(points(named, people('peter komba')));
});

test('places', () => {
  const points = (lost: string, found: string): number =>
    comparePlaces(read(`x | | ${lost}`).places, read(`x | | ${found}`).places).points;
  expectInOrder([
    ['the same', points('Sinza', 'Sinza')],
    ['the same town', points('Moshi', 'Moshi')],
    ['inside', points('Manzese Tip Top', 'Manzese')],
    ['the same region', points('Morogoro', 'Morogoro')],
    ['the same district', points('Ilala', 'Ilala')],
    ['inside a district', points('Ubungo', 'Sinza')],
    ['the same large region', points('Dar es Salaam', 'Dar es Salaam')],
    ['near', points('Kinondoni', 'Sinza')],
    NOTHING,
    ['hardly within reach', points('Sinza', 'Mbagala')],
    ['elsewhere', points('Sinza', 'Chanika')],
  ]);
  expect(points('Sinza', 'Mwenge')).toBeGreaterThan(points('Kinondoni', 'Sinza'));
  expect(points('Sinza', 'Kariakoo')).toBe(0);
  expect(points('Dar es Salaam', 'Sinza')).toBe(points('Dar es Salaam', 'Dar es Salaam'));
  expect(points('Sinza', 'Chanika')).toBe(CONTRADICTION);
  expect(points('Sinza kwa Zulufuna', 'Sinza kwa Zulufuna')).toBeGreaterThan(points('Sinza', 'Sinza'));
});

test('numbers, sums, sizes and days', () => {
  const ids = (lost: string, found: string): number =>
    compareIdentifiers(readIdentifiers(lost).identifiers, readIdentifiers(found).identifiers).points;
  expectInOrder([
    ['the whole number', ids('AC1234567', 'AC1234567')],
    ['its end', ids('AC1234567', 'ending 4567')],
    NOTHING,
    ['another', ids('AC1234567', 'AC7654321')],
  ]);
  expect(ids('AC1234567', 'AC1234568')).toBe(ids('AC1234567', 'AC1234567'));
  expect(ids('AC12345', 'AC12346')).toBe(CONTRADICTION);
  expect(ids('T123ABC', 'T124ABC')).toBe(CONTRADICTION);
  expect(ids('T123ABC', 'AC1234567')).toBe(0);
  expectInOrder([
    ['one sum', compareAmounts([5000, 700], [700], false).points],
    NOTHING,
    ['another sum', compareAmounts([5000], [700], false).points],
    ['another sum of money', compareAmounts([5000], [700], true).points],
  ]);
  const size = (value: number) => [{ unit: 'size' as const, value }];
  expectInOrder([
    ['one size', compareMeasures(size(42), size(42)).points],
    NOTHING,
    ['another size', compareMeasures(size(42), size(40)).points],
  ]);
  expect(compareMeasures(size(42), [{ unit: 'gb', value: 42 }]).points).toBe(0);
  const day = (first: number, last = first) => ({ first, last });
  const days = (lost: number, found: number): number => compareDays(day(lost), day(found)).points;
  expect([days(10, 10), days(10, 11), days(10, 9)].map((points) => points > 0)).toEqual([true, true, true]);
  expect([days(10, 12), days(10, 8), days(10, 7)]).toEqual([0, 0, CONTRADICTION]);
  expect(compareDays(day(3, 10), day(10)).points).toBe(0);
});

test('parts, words, contents and issuers', () => {
  const parts = (lost: string, found: string): number =>
    compareParts(read(`Begi | lina ${lost}`).parts, read(`Begi | lina ${found}`).parts).points;
  expectInOrder([
    ['two parts', parts('funguo na mwavuli', 'funguo na mwavuli')],
    ['one part', parts('funguo', 'funguo')],
    NOTHING,
    ['of another colour', parts('kitabu chekundu', 'kitabu cheusi')],
  ]);
  expect(parts('kitabu chekundu', 'kitabu chekundu')).toBeGreaterThan(parts('kitabu', 'kitabu'));
  expect(parts('mwavuli', 'funguo')).toBe(0);
  const words = (count: number): Evidence => {
    const rare = ['zulufuna', 'abekodi', 'lamitoru'].slice(0, count);
    return compareWords(rare, rare);
  };
  expectInOrder([
    ['two words', words(2).points],
    ['one word', words(1).points],
    ['no word', words(0).points],
  ]);
  expect(words(3)).toEqual(words(2));
  const bag = closestHeads(read('Begi').heads, read('Begi').heads);
  const inside = (text: string) => read(`Begi | lina ${text}`).parts;
  expectInOrder([
    ['the same contents', compareContents(bag, inside('nguo'), inside('nguo')).points],
    ['others', compareContents(bag, inside('nguo'), inside('nyundo')).points],
    AGAINST,
  ]);
  expect(compareContents(null, inside('nguo'), inside('nyundo')).points).toBe(0);
  expect(compareContents(bag, [], inside('nyundo')).points).toBe(0);
  const issuers = (lost: string, found: string, isNamed = false): number =>
    compareIssuers([lost], [found], isNamed).points;
  expectInOrder([
    ['one firm', issuers('mkombozi', 'mkombozi')],
    NOTHING,
    ['another', issuers('mkombozi', 'baraka')],
    ['another, and it is named', issuers('mkombozi', 'baraka', true)],
  ]);
  expect(issuers('mkombozi', 'baraka')).toBeGreaterThan(CONTRADICTION / 2);
});
