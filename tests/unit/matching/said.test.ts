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
])('another %s is evidence against a pair', (_, aspect, lost, same, other) => {
  expect(points(aspect, lost, same)).toBeGreaterThanOrEqual(0);
  expect(points(aspect, lost, other)).toBeLessThan(-0.3);
});

test('of writing that agrees in part, the other part still counts', () => {
  const lost = 'Ring | engraved FOREVER LULU | Tanga';
  const whole = points('writing', lost, 'Ring | it has FOREVER LULU inside | Tanga');
  const begun = points('writing', lost, 'Ring | it has FOREVER inside | Tanga');
  expect(begun).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(begun);
  const partly = points('writing', lost, 'Ring | it has FOREVER ZAINU inside | Tanga');
  expect(partly).toBeLessThan(0);
  expect(partly).toBeGreaterThan(points('writing', lost, 'Ring | it has HAMISU ZAINU inside | Tanga'));
});

test('a text in capitals contains no copied writing', () => {
  expect(read('NIMEPOTEZA ZULUFUNA | KWENYE BASI LA ABEKODI').writing).toEqual([]);
  expect(read('Bag | with ZULUFUNA on it').writing).toEqual(['zulufuna']);
});

test('shared statements count in any wording, and many unshared ones count against a pair', () => {
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
])('a derived verb has the meaning of its stem: %s', (derived, plain) => {
  const details = (word: string) => read(`Begi | ${word}`).details.flat();
  expect(details(derived).filter((key) => details(plain).includes(key))).not.toEqual([]);
});

test('a part of a group is a possible match if more than the group differs', () => {
  const lost = 'Mbuzi wanne weusi | | Chanika';
  const part = judge(lost, 'Two black goats | | Chanika');
  expect(part.confidence).toBe('possible');
  expect(judge(lost, 'Seven black goats | | Chanika').score).toBeLessThan(part.score);
});

test('an unknown thing is judged by everything else', () => {
  const known = 'Toolbox | rust, handle tied with red wire, marked ZULUFUNA | Goba';
  expect(judge('Kadubwana | mpini umefungwa waya mwekundu, ZULUFUNA | Goba', known).confidence).not.toBeNull();
});

test('a name of two towns is one place if both posts use it', () => {
  expect(points('place', 'Simu | | Soko la Kilombero Arusha', 'Simu | | kwa wauza mitumba Kilombero')).toBeGreaterThan(
    0,
  );
});

test('two different plates outweigh the same model', () => {
  expect(points('number', 'Boxer BM150 | MC 552 CZA | Tanga', 'Boxer BM150 | MC 908 DBB | Tanga')).toBeLessThan(-2);
  expect(read('Boxer BM150').identifiers).toEqual([]);
});

test('the first part of a number is recognised', () => {
  const whole = 'Kadi | namba 7712009 | Tanga';
  expect(points('number', whole, 'Card | starts with 7712 | Tanga')).toBeGreaterThan(0);
  expect(points('number', whole, 'Card | inaanza na 8812 | Tanga')).toBeLessThan(0);
});

test('agreement counts more if few posts have it', () => {
  const [lost, found] = [
    readPost(makePost('Mwavuli wa zambarau | | Sinza')),
    readPost(makePost('Purple umbrella | | Sinza', 'finder')),
  ];
  const among = (share: number): number =>
    judgePair(lost, found, { openPosts: 1000, shareOf: (value) => (value === 'colour purple' ? share : null) }).score;
  expect(among(0.01)).toBeGreaterThan(among(0.1));
  expect(among(0.1)).toBeGreaterThan(among(0.5));
});

test('a glossary line whose first word is in a list adds its words to that entry', () => {
  const ids = (title: string) => read(title).heads.flatMap((head) => head.ids);
  expect(ids('Lost a tripod')).toEqual(ids('Nimepoteza stendi ya kamera'));
  expect(ids('Sufuria la shughuli')).toEqual(ids('Catering pot'));
});

function deniedBy(description: string): string[] {
  return read(`Laptop | ${description}`).denied.flat();
}

test('a denied thing is the subject of its clause, not the place where it would be', () => {
  expect(deniedBy('one button on the top row is not there')).toContain('attribute button');
  expect(deniedBy('one button on the top row is not there')).not.toContain('concept g:row');
});

test('"without" denies the words after it, even if no list knows them', () => {
  expect(deniedBy('sticker without zulufuna')).toEqual([]);
  expect(deniedBy('without sticker')).toContain('attribute sticker');
  expect(deniedBy('sticker haina')).toContain('attribute sticker');
});

test('the beginning of a name stands for the name, unless it is a name of its own', () => {
  const owner = (found: string) => points('owner', 'Begi | | Tanga | Ibrahim Kondo', `Bag | | Tanga | ${found}`);
  expect(owner('Ibra Kondo')).toBeGreaterThan(0.9);
  expect(owner('Iddi Kondo')).toBeLessThan(0);
  expect(points('owner', 'Begi | | Tanga | Jumanne Kondo', 'Bag | | Tanga | Juma Kondo')).toBeLessThan(0);
});

test('"second class" is not a person', () => {
  expect(read('Begi la mwanangu wa darasa la pili').persons).toEqual([]);
  expect(read('Begi | jina Pili Kondo').persons.flatMap(({ names }) => names)).toEqual(['pili', 'kondo']);
});

test('a word between a cue and a number is not part of the number', () => {
  const numberIn = (text: string) => read(`Betri | ${text}`).values.filter(({ slot }) => slot === 'number');
  expect(numberIn('I marked it 3 with a pen')).toEqual([{ slot: 'number', value: '3' }]);
  expect(numberIn('marked B 3 with a pen')).toEqual([{ slot: 'number', value: 'b3' }]);
});

test('of painted, printed or signed words only names count as writing', () => {
  const writing = (text: string) => read(`Kofia | ${text}`).writing;
  expect(writing('band printed with small flowers')).toEqual([]);
  expect(writing('painted green on top')).toEqual([]);
  expect(writing('painted on the side Zulufuna')).toEqual(['zulufuna']);
  expect(writing('maandishi zulufuna')).toEqual(['zulufuna']);
});

test('a country is recognised by its people or its language', () => {
  const lost = 'Mkanda | una bendera ya Norway | Tanga';
  expect(points('said', lost, 'Belt | with the Norwegian flag | Tanga')).toBeGreaterThan(
    points('said', lost, 'Belt | with the Swedish flag | Tanga'),
  );
});

test('a child’s bag shows one character or another', () => {
  const attributes = (title: string) => read(title).heads.flatMap((head) => [...head.attributes]);
  expect(attributes('Begi la shule spaidaman')).toEqual(attributes('School bag, Spider man'));
  expect(points('attributes', 'Begi la shule la Elsa', 'Spiderman school bag')).toBeLessThan(0);
});

test('function words are not details', () => {
  expect(read('Begi | lilikua probably lenyewe during baadaye').details).toEqual([]);
});

test('a thing lost in the title is not denied', () => {
  expect(read('Brown leather wallet missing').denied).toEqual([]);
  expect(deniedBy('battery cover missing')).not.toEqual([]);
});

test('a cup without its lid is the same whether the lid is missing or absent', () => {
  const lost = 'Kombe | halina mfuniko | Himo';
  expect(points('denied', lost, 'Trophy | lid missing | Himo')).toBeGreaterThanOrEqual(0);
  expect(points('denied', lost, 'Trophy | with its lid | Himo')).toBeLessThan(0);
});

test('figures among small letters are not writing on their own', () => {
  expect(read('Kombe | limeandikwa zulufuna abekodi 2009').writing).toEqual(['zulufuna', 'abekodi']);
});

test('an engraving is mentioned as such, not copied', () => {
  expect(read('Ring | engraved inside with a name and date').writing).toEqual([]);
  expect(read('Ring | engraved inside with ZULUFUNA').writing).toEqual(['zulufuna']);
});

test('a name of two towns contradicts another only if both say which one', () => {
  const lost = 'Simu | | Mnazi Mmoja clinic, Dar';
  expect(points('place', lost, 'Simu | | hospitali ya Mnazi mmoja')).toBeGreaterThan(0);
  expect(points('place', lost, 'Simu | | hospitali ya Mnazi mmoja, Zanzibar')).toBeLessThan(-0.8);
});

test('an unknown village is not another village', () => {
  expect(read('Simu | | Kigereke').places.said).toEqual([]);
  expect(read('Simu | | Kariako').places.said.flat()).toEqual(['Kariakoo, Ilala']);
});

test('a document contradicts another document more than a different thing', () => {
  const lost = 'Cheti cha ndoa | | Goba';
  const other = points('thing', lost, 'Sanduku | | Goba');
  expect(other).toBeLessThan(-0.5);
  expect(other).toBeGreaterThan(points('thing', lost, 'Leseni ya udereva | | Goba'));
});

test('a thing only in the glossary has the kind of its names in both languages', () => {
  expect(points('thing', 'Mkufu wa fedha | | Goba', 'Necklace | | Goba')).toBeGreaterThan(0.2);
  expect(points('thing', 'Mkufu wa fedha | | Goba', 'Ring | | Goba')).toBeLessThan(0);
});
