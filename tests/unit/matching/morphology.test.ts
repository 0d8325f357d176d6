import { expect, test } from 'vitest';
import { wordAlternatives } from '#worker/matching/reading/word-alternatives.ts';
import { boundedEditDistance } from '#worker/matching/words/edit-distance.ts';
import { read } from './make-post.ts';

const things = (side: string): string[] => read(side).heads.flatMap((head) => head.ids);
const colours = (side: string): string[] => read(side).heads.flatMap((head) => [...head.colours]);

test.each(['nyeusi', 'mweusi', 'jeusi', 'cheusi', 'weusi', 'meusi', 'vyeusi', 'nyeuc'])('%s is black', (word) => {
  expect(colours(`Begi ${word}`)).toEqual(['black']);
});

test.each([
  ['vitambulisho vyangu', 'id-card'],
  ['mikoba miwili', 'handbag'],
  ['mgebuka', 'fish'],
  ['ufunguo', 'keys'],
  ['mabegi', 'bag'],
  ['kipochi', 'purse'],
  ['mbuzi', 'goat'],
  ['vyeti', 'certificate'],
  ['simuyangu', 'phone'],
  ['backpacks', 'backpack'],
])('%s is read as %s', (written, id) => {
  expect(things(written)).toContain(id);
});

test.each([
  'nimepoteza',
  'imepotea',
  'limepotea',
  'nmepoteza',
  'kilipotea',
  'zimepotea',
  'limeokotwa',
  'zimepatikana',
  'nimeokota',
  'kamepotea',
])('%s is a verb of losing or finding', (verb) => {
  expect(wordAlternatives(verb, 'text').some((form) => form.startsWith('*'))).toBe(true);
});

test.each([
  ['cm yng', 'phone'],
  ['ktambulisho cha taifa', 'nida'],
  ['leseni ya udreva', 'driving-licence'],
  ['umbrela', 'umbrella'],
  ['pchi', 'purse'],
])('%s is understood as a hurried %s', (written, id) => {
  expect(things(written)).toContain(id);
});

test('a word between two words of the lexicon is not corrected', () => {
  expect(wordAlternatives('xyzzy', 'text')).toEqual([]);
});

test('the edit distance counts a swap of neighbours once and stops at its limit', () => {
  expect(boundedEditDistance('pochi', 'pcohi', 2)).toBe(1);
  expect(boundedEditDistance('abcdef', 'uvwxyz', 2)).toBe(3);
});

test('the head of a phrase is the thing, not what it belongs to', () => {
  expect(things('kava la simu ya Samsung')).toEqual(['phone-cover']);
  expect(things('Samsung phone charger')).toEqual(['phone-charger']);
  expect(things('funguo za gari')).toEqual(['car-keys']);
  expect(things('keys of a house')).toEqual(['house-keys']);
  expect(things('begi lenye laptop')).toEqual(['bag']);
});

test('a quality goes to the thing that it is said of', () => {
  const phone = read('Nimepoteza simu nyeusi | ina kava jekundu | Manzese');
  expect([...(phone.heads[0]?.colours ?? [])]).toEqual(['black']);
  expect(phone.parts.map((part) => [part.ids[0], ...part.colours])).toContainEqual(['phone-cover', 'red']);
});

test('the vehicle in which a thing was left is not the thing', () => {
  expect(things('Nimesahau begi kwenye daladala')).toEqual(['bag']);
  expect(things('Green backpack left on a bus')).toEqual(['backpack']);
});
