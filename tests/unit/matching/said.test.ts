import { expect, test } from 'vitest';
import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';
import { judge, makePost, points, read } from './make-post.ts';

test.each<[string, Aspect, string, string, string]>([
  [
    'writing',
    'writing',
    'Helmet | stencilled SUBIRA MOJA | Tanga',
    'Helmet | SUBIRA MOJA on it | Tanga',
    'Helmet | KIDEVU KUMI on it | Tanga',
  ],
  [
    'a quotation',
    'writing',
    'Kanga | "Mama ni nguzo" | Tanga',
    'Kanga | maneno mama ni nguzo | Tanga',
    'Kanga | "Riziki mafungu saba" | Tanga',
  ],
  [
    'a make that no list knows',
    'maker',
    'Friji ya Mobisola ndogo | | Tanga',
    'Mobisola fridge, small | | Tanga',
    'Small fridge Zukufriz | | Tanga',
  ],
  [
    'what it has not',
    'denied',
    'Miwani | kasha lipo | Tanga',
    'Glasses | in a case | Tanga',
    'Glasses | no case | Tanga',
  ],
  [
    'the writing that tells one office from another',
    'writing',
    'Stempu yetu | ya mstatili ya KATA YA MIONO | Chalinze',
    'Rubber stamp | rectangle, written KATA YA MIONO | Chalinze',
    'Rubber stamp | rectangle, written KATA YA UBENA | Chalinze',
  ],
  [
    'a name that the text gives beside writing',
    'writing',
    'Stethoscope | engraved Kokubanza | Bugando',
    'Stethoscope | has tape saying KOKUBANZA | Bugando',
    'Stethoscope | has tape saying ZULUFUNA | Bugando',
  ],
  [
    'writing beside initials',
    'writing',
    'Msumeno | mpini wa mbao umechomwa MZEE NGOSHA | Geita',
    'Hand saw | wooden handle burnt M.N. | Geita',
    'Hand saw | wooden handle burnt S.K. | Geita',
  ],
  [
    'a firm on its tag',
    'writing',
    'Suitcase | tag of Zulufuna Air | Tanga',
    'Sanduku | lina tag ya Zulufuna | Tanga',
    'Sanduku | lina tag ya Kobesua | Tanga',
  ],
  [
    'a number of parts',
    'parts',
    'Mtumbwi | kasia moja | Matema',
    'Canoe | one paddle | Matema',
    'Canoe | two paddles | Matema',
  ],
  [
    'a firm on it',
    'maker',
    'Mwavuli wa Simba | | Mwanjelwa',
    'Umbrella of Simba | | Mwanjelwa',
    'Umbrella of Yanga | | Mwanjelwa',
  ],
  ['horns', 'opposites', 'Ng’ombe | long horns | Babati', 'Cow | with horns | Babati', 'Cow | no horns | Babati'],
  [
    'what is missing after its name',
    'denied',
    'Calculator | battery cover missing | Tanga',
    'Kikokotoo | hakina mfuniko wa betri | Tanga',
    'Kikokotoo | kina mfuniko wa betri | Tanga',
  ],
  ['an opposite', 'opposites', 'Kamba | ndefu | Tanga', 'Rope | long | Tanga', 'Rope | short | Tanga'],
])('%s that is another speaks against a pair', (_, aspect, lost, same, other) => {
  expect(points(aspect, lost, same)).toBeGreaterThanOrEqual(0);
  expect(points(aspect, lost, other)).toBeLessThan(-0.3);
});

test('of writing that agrees in part the rest still counts', () => {
  const lost = 'Ring | engraved FOREVER LULU | Tanga';
  const whole = points('writing', lost, 'Ring | it has FOREVER LULU inside | Tanga');
  const begun = points('writing', lost, 'Ring | it has FOREVER inside | Tanga');
  expect(begun).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(begun);
  const partly = points('writing', lost, 'Ring | it has FOREVER ZAINU inside | Tanga');
  expect(partly).toBeLessThan(0);
  expect(partly).toBeGreaterThan(points('writing', lost, 'Ring | it has HAMISU ZAINU inside | Tanga'));
});

test('whoever writes everything large copies nothing off the thing', () => {
  expect(read('NIMEPOTEZA ZULUFUNA | KWENYE BASI LA ABEKODI').writing).toEqual([]);
  expect(read('Bag | with ZULUFUNA on it').writing).toEqual(['zulufuna']);
});

test('what both say speaks for them in whatever words, and much that neither shares against them', () => {
  const lost = 'Begi la bluu | mkanda umefungwa kamba ya katani, lina tochi na kisu | Tanga';
  const same = 'Blue bag | the strap is tied with sisal rope, torch and knife inside | Tanga';
  const other = 'Blue bag | a bible, two exercise books and a pink umbrella inside | Tanga';
  expect(points('said', lost, same)).toBeGreaterThan(0.8);
  expect(points('said', lost, other)).toBeLessThan(0);
  expect(judge(lost, same).score).toBeGreaterThan(judge(lost, other).score);
});

test.each([
  ['kimezungushiwa', 'amezungusha'],
  ['imefungwa', 'amefunga'],
])('a derived verb means what its stem means: %s', (derived, plain) => {
  const details = (word: string) => read(`Begi | ${word}`).details.flat();
  expect(details(derived).filter((key) => details(plain).includes(key))).not.toEqual([]);
});

test('a part of a group is possible where more than the group is not', () => {
  const lost = 'Mbuzi wanne weusi | | Chanika';
  const part = judge(lost, 'Two black goats | | Chanika');
  expect(part.confidence).toBe('possible');
  expect(judge(lost, 'Seven black goats | | Chanika').score).toBeLessThan(part.score);
});

test('a thing that no list knows is judged by all else', () => {
  const known = 'Toolbox | rust, handle tied with red wire, marked ZULUFUNA | Goba';
  expect(judge('Kadubwana | mpini umefungwa waya mwekundu, ZULUFUNA | Goba', known).confidence).not.toBeNull();
});

test('one name that two towns have is one place where both say it', () => {
  expect(points('place', 'Simu | | Soko la Kilombero Arusha', 'Simu | | kwa wauza mitumba Kilombero')).toBeGreaterThan(
    0,
  );
});

test('two plates that differ outweigh the model that both name', () => {
  expect(points('number', 'Boxer BM150 | MC 552 CZA | Tanga', 'Boxer BM150 | MC 908 DBB | Tanga')).toBeLessThan(-2);
  expect(read('Boxer BM150').identifiers).toEqual([]);
});

test('the first part of a number is read as such', () => {
  const whole = 'Kadi | namba 7712009 | Tanga';
  expect(points('number', whole, 'Card | starts with 7712 | Tanga')).toBeGreaterThan(0);
  expect(points('number', whole, 'Card | inaanza na 8812 | Tanga')).toBeLessThan(0);
});

test('what agrees says more where few posts have it', () => {
  const [lost, found] = [
    readPost(makePost('Mwavuli wa zambarau | | Sinza')),
    readPost(makePost('Purple umbrella | | Sinza', 'finder')),
  ];
  const among = (share: number): number =>
    judgePair(lost, found, { openPosts: 1000, shareOf: (value) => (value === 'colour purple' ? share : null) }).score;
  expect(among(0.01)).toBeGreaterThan(among(0.1));
  expect(among(0.1)).toBeGreaterThan(among(0.5));
});

test('a glossary line whose first word a list knows adds its words to that entry', () => {
  const ids = (title: string) => read(title).heads.flatMap((head) => head.ids);
  expect(ids('Lost a tripod')).toEqual(ids('Nimepoteza stendi ya kamera'));
  expect(ids('Sufuria la shughuli')).toEqual(ids('Catering pot'));
});
