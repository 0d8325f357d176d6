import { expect, test } from 'vitest';
import { points, read } from './make-post.ts';

test('a ticket number denies nothing, and words may stand between a denial and what it denies', () => {
  expect(read('Suit | ticket no. 56').denied).toEqual([]);
  expect(read('Radio | no place for cassette').denied.flat()).toContain('thing video-tape');
  expect(read('Mizani | kioo hakipo').denied.flat()).toContain('thing screen');
});

test('a number in words is the number in figures', () => {
  expect(read('Kitenge | vipande sita').details.flat()).toContain('number 6');
  expect(read('Kitenge | 6 cut pieces').details.flat()).toContain('number 6');
});

test('the numbers on two stickers are two, whatever each is called by', () => {
  const lost = 'Tablet | sticker no. 2217 | Mpanda';
  expect(points('values', lost, 'Tablet | stika 3048, nyeusi | Mpanda')).toBeLessThan(-0.3);
  expect(points('values', lost, 'Tablet | stika 2217, nyeusi | Mpanda')).toBeGreaterThan(0);
});

test('who says what it is like only does not know the word', () => {
  const lost = 'Trumpet | | Goba';
  expect(points('thing', lost, 'Kitu kama kikombe | | Goba')).toBeGreaterThan(
    points('thing', lost, 'Kikombe | | Goba'),
  );
});

test('what lies between the two ends of a way is on it', () => {
  expect(points('place', 'Trunk | | between Moshi and Same', 'Trunk | | Mwanga, Kilimanjaro')).toBeGreaterThan(0);
  expect(points('place', 'Trunk | | between Moshi and Same', 'Trunk | | Dodoma')).toBeLessThan(0);
});

test('the pronoun I begins no name', () => {
  expect(read('Sweater | I sewed BRIAN M. on the label').persons.flatMap(({ names }) => names)).not.toContain('sewed');
});

test('that a part is not there denies it in either language', () => {
  expect(points('denied', 'Jeki | haina mpini | Goba', 'Jack | handle not there | Goba')).toBeGreaterThan(0);
});

test('what was never worn is new', () => {
  expect(points('opposites', 'Wig | never worn | Sinza', 'Wig | still new | Sinza')).toBeCloseTo(0);
  expect(points('opposites', 'Wig | worn out | Sinza', 'Wig | brand new | Sinza')).toBeLessThan(0);
});

test('marks of teeth and what was chewed are one detail', () => {
  const said = (found: string): number => points('said', 'Hard disk | case with teeth marks | Goba', found);
  expect(said('Hard disk | kava limetafunwa | Goba')).toBeGreaterThan(said('Hard disk | kava limechorwa | Goba'));
});

test('two saints are two schools', () => {
  const lost = "Bibs | seven, red, St Mary's | Goba";
  expect(points('issuer', lost, 'Bibs | seven, red, marked Lugalo Sec | Goba')).toBeLessThan(-0.5);
  expect(points('issuer', lost, 'Bibs | nyekundu, St. Mary | Goba')).toBeGreaterThan(0);
});

test('what is marked on it is its number', () => {
  const lost = 'Wireless mic | marked 1 in tape | Goba';
  expect(points('values', lost, 'Maiki | imebandikwa namba 4 | Goba')).toBeLessThan(-0.5);
  expect(points('values', lost, 'Maiki | imebandikwa namba 1 | Goba')).toBeGreaterThan(0);
});
