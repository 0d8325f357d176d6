import { expect, test } from 'vitest';
import { compareContents } from '#worker/matching/judging/compare-contents.ts';
import { compareParts, compareWords } from '#worker/matching/judging/compare-details.ts';
import { compareIssuers } from '#worker/matching/judging/compare-issuers.ts';
import { closestHeads } from '#worker/matching/judging/compare-items.ts';
import { compareOwners } from '#worker/matching/judging/compare-names.ts';
import { compareAmounts, compareDays, compareIdentifiers } from '#worker/matching/judging/compare-numbers.ts';
import { comparePlaces } from '#worker/matching/judging/compare-places.ts';
import { compareMeasures } from '#worker/matching/judging/compare-values.ts';
import type { Evidence } from '#worker/matching/judging/evidence.ts';
import { CONTRADICTION } from '#worker/matching/judging/evidence.ts';
import { readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';
import type { Measure } from '#worker/matching/reading/read-measures.ts';
import type { Person } from '#worker/matching/reading/read-names.ts';
import { AGAINST, expectInOrder, NOTHING } from './expect-in-order.ts';
import { read } from './make-post.ts';

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
  expect(points('Sinza', 'Chanika')).toBeLessThan(points('Sinza', 'Kariakoo'));
  expect(points('Sinza', 'Mwanza')).toBe(CONTRADICTION);
  expect(points('Sinza kwa Zulufuna', 'Sinza kwa Zulufuna')).toBeGreaterThan(points('Sinza', 'Sinza'));
});

test('numbers', () => {
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
  expect(ids('T123ABC', 'T124ABC')).toBeLessThan(2 * CONTRADICTION);
  expect(ids('T123ABC', 'AC1234567')).toBe(0);
});

test('sums and sizes', () => {
  expectInOrder([
    ['one sum', compareAmounts([5000, 700], [700], false).points],
    NOTHING,
    ['another sum', compareAmounts([5000], [700], false).points],
    ['another sum of money', compareAmounts([5000], [700], true).points],
  ]);
  const size = (value: number): Measure[] => [{ dimension: 'size', value, isRough: false }];
  expectInOrder([
    ['one size', compareMeasures(size(42), size(42)).points],
    NOTHING,
    ['another size', compareMeasures(size(42), size(40)).points],
  ]);
  expect(compareMeasures(size(42), [{ dimension: 'gigabytes', value: 42, isRough: false }]).points).toBe(0);
});

test('days', () => {
  const day = (first: number, last = first) => ({ first, last });
  const days = (lost: number, found: number): number => compareDays(day(lost), day(found)).points;
  expect([days(10, 10), days(10, 11), days(10, 9)].map((points) => points > 0)).toEqual([true, true, true]);
  expect([days(10, 12), days(10, 8), days(10, 7)]).toEqual([0, 0, CONTRADICTION]);
  expect(compareDays(day(3, 10), day(10)).points).toBe(0);
});

test('parts', () => {
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
});

test('words that no list knows', () => {
  const words = (count: number): Evidence => {
    const rare = ['zulufuna', 'abekodi', 'lamitoru'].slice(0, count);
    return compareWords(rare, rare);
  };
  expectInOrder([
    ['two words', words(2).points],
    ['one word', words(1).points],
    ['no word', words(0).points],
  ]);
  expect(words(4).points).toBe(words(3).points);
  expect(words(4).reasons).toEqual(words(2).reasons);
});

test('contents', () => {
  const bag = closestHeads(read('Begi').heads, read('Begi').heads);
  const inside = (text: string) => read(`Begi | lina ${text}`).parts;
  expectInOrder([
    ['the same contents', compareContents(bag, inside('nguo'), inside('nguo')).points],
    ['others', compareContents(bag, inside('nguo'), inside('nyundo')).points],
    AGAINST,
  ]);
  expect(compareContents(null, inside('nguo'), inside('nyundo')).points).toBe(0);
  expect(compareContents(bag, [], inside('nyundo')).points).toBe(0);
});

test('issuers', () => {
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
