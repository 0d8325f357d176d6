import { expect, test } from 'vitest';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { judge, read } from './make-post.ts';

test.each([
  ['only one side names the thing', 'Kadude changu | QRT Zulufu | Njiro', 'Umbrella | Zulufu, QRT | Njiro'],
  ['the two call it differently', 'Walkie talkie | Motorola, SGA guards | Njiro', 'Redio | ya SGA, Motorola | Njiro'],
  ['one names what is on it', 'Simu A05 | ya mkopa, kava la Simba | Mwanga', 'Kava | A05 ya mkopa, Simba | Mwanga'],
])('rare coincidences carry a match when %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).toBe('sure');
});

test('a name that one side reads as a word makes it possible', () => {
  expect(judge('Bank book | Kokubanza Rweyemamu | kwetu', 'Kitabu cha benki | Kokubanza | mbali').confidence).toBe(
    'possible',
  );
});

test.each([
  ['a phone and a cover for its model', 'Kava la simu | Samsung A12 lenye maua | Sinza', 'Samsung A12 | black | Sinza'],
  ['two things of one make', 'Charger ya Samsung A12 | | Sinza', 'Samsung A12 | | Sinza'],
  ['two cards of one person', 'NIDA | Asha Juma Omari | Sinza', 'Leseni ya udereva | Asha Juma Omari | Sinza'],
])('%s stay two things', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['titles', 'Zulufuna | | kwa Athumani', 'Zulufuna | | kwa Maua'],
  ['titles, of neighbours', 'Zulufuna | | Sinza', 'Zulufuna | | Mwenge'],
  ['description, where neither thing is known', 'Kadude | zulufuna | kwetu', 'Dubwana | zulufuna | mbali'],
  ['description, as a name, where one thing is known', 'Kadude | ya Zulufuna | kwetu', 'Redio | ya Zulufuna | mbali'],
  ['description, as a name, of two things', 'Begi | la Zulufuna | kwetu', 'Redio | ya Zulufuna | mbali'],
  ['description of one thing', 'Mwavuli | zulufuna | kwa Athumani', 'Mwavuli | zulufuna | kwa Maua'],
  ['places of a thing that many lose', 'Simu | | kwa Zulufuna', 'Simu | | kwa Zulufuna'],
])('one word that no list knows is no match: shared in the %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['the owner is named', 'Waleti | ina NIDA | Sinza | Asha Juma', 'NIDA | Asha Juma | Sinza'],
  [
    'a further part of one look is in both',
    'Begi | lina mwavuli na kitabu cheusi | Sinza',
    'Mwavuli | na kitabu cheusi | Sinza',
  ],
  [
    'a further part that few have is in both',
    'Begi | lina mwavuli na bisibisi | Sinza',
    'Mwavuli | na bisibisi | Sinza',
  ],
  ['rare words are on both', 'Begi | lina mwavuli wa QRT Zulufuna | Sinza', 'Mwavuli | QRT Zulufuna | Sinza'],
  ['it is named beside, and looks the same', 'Begi | mwavuli mwekundu | Sinza', 'Mwavuli mwekundu | | Sinza'],
  ['each names the other', 'Begi | lenye nguo | Sinza', 'Nguo | ndani ya begi | Sinza'],
])('what is found alone may be what was in the thing lost: %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).toBe('sure');
});

test.each([
  ['nobody is named', 'Waleti | ina NIDA | Sinza', 'NIDA | | Sinza'],
  ['it is in it, of whatever look', 'Begi | lina mwavuli mwekundu | Sinza', 'Mwavuli mwekundu | | Sinza'],
])('but not where %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('a rare word of the description is looked up before common ones', () => {
  const stored = new Set(indexTerms(read('Kadude | abeko, dafino, gulore, hepima, jokasu, Zulufuna | kwetu')));
  expect(
    lookupTerms(read('Radio | kobesu, lamito, nudavi, pofera, rukesi, Zulufuna | mbali')).some((term) =>
      stored.has(term),
    ),
  ).toBe(true);
});
