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
    'quotation',
    'writing',
    'Kanga | "Mama ni nguzo" | Tanga',
    'Kanga | maneno mama ni nguzo | Tanga',
    'Kanga | "Riziki mafungu saba" | Tanga',
  ],
  [
    'unlisted make',
    'maker',
    'Friji ya Mobisola ndogo | | Tanga',
    'Mobisola fridge, small | | Tanga',
    'Small fridge Zukufriz | | Tanga',
  ],
  ['missing part', 'denied', 'Miwani | kasha lipo | Tanga', 'Glasses | in a case | Tanga', 'Glasses | no case | Tanga'],
  [
    'office name in the writing',
    'writing',
    'Stempu yetu | ya mstatili ya KATA YA MIONO | Chalinze',
    'Rubber stamp | rectangle, written KATA YA MIONO | Chalinze',
    'Rubber stamp | rectangle, written KATA YA UBENA | Chalinze',
  ],
  [
    'name on a tape',
    'writing',
    'Stethoscope | engraved Kokubanza | Bugando',
    'Stethoscope | has tape saying KOKUBANZA | Bugando',
    'Stethoscope | has tape saying ZULUFUNA | Bugando',
  ],
  [
    'name or initials burnt into the thing',
    'writing',
    'Msumeno | mpini wa mbao umechomwa MZEE NGOSHA | Geita',
    'Hand saw | wooden handle burnt M.N. | Geita',
    'Hand saw | wooden handle burnt S.K. | Geita',
  ],
  [
    'firm on the tag',
    'writing',
    'Suitcase | tag of Zulufuna Air | Tanga',
    'Sanduku | lina tag ya Zulufuna | Tanga',
    'Sanduku | lina tag ya Kobesua | Tanga',
  ],
  [
    'number of parts',
    'parts',
    'Mtumbwi | kasia moja | Matema',
    'Canoe | one paddle | Matema',
    'Canoe | two paddles | Matema',
  ],
  [
    'firm printed on the thing',
    'maker',
    'Mwavuli wa Simba | | Mwanjelwa',
    'Umbrella of Simba | | Mwanjelwa',
    'Umbrella of Yanga | | Mwanjelwa',
  ],
  [
    'statement about horns',
    'opposites',
    'Ng’ombe | long horns | Babati',
    'Cow | with horns | Babati',
    'Cow | no horns | Babati',
  ],
  [
    'missing part named before the word “missing”',
    'denied',
    'Calculator | battery cover missing | Tanga',
    'Kikokotoo | hakina mfuniko wa betri | Tanga',
    'Kikokotoo | kina mfuniko wa betri | Tanga',
  ],
  ['length', 'opposites', 'Kamba | ndefu | Tanga', 'Rope | long | Tanga', 'Rope | short | Tanga'],
])('a difference in the %s counts against a match', (_, aspect, lost, same, other) => {
  expect(points(aspect, lost, same)).toBeGreaterThanOrEqual(0);
  expect(points(aspect, lost, other)).toBeLessThan(-0.3);
});

test('partly equal writing on the lost and the found thing scores lower than equal and higher than different writing', () => {
  const lost = 'Ring | engraved FOREVER LULU | Tanga';
  const whole = points('writing', lost, 'Ring | it has FOREVER LULU inside | Tanga');
  const begun = points('writing', lost, 'Ring | it has FOREVER inside | Tanga');
  expect(begun).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(begun);
  const partly = points('writing', lost, 'Ring | it has FOREVER ZAINU inside | Tanga');
  expect(partly).toBeLessThan(0);
  expect(partly).toBeGreaterThan(points('writing', lost, 'Ring | it has HAMISU ZAINU inside | Tanga'));
});

test('if a whole post is in capitals, none of its words is read as writing on the thing', () => {
  expect(read('NIMEPOTEZA ZULUFUNA | KWENYE BASI LA ABEKODI').writing).toEqual([]);
  expect(read('Bag | with ZULUFUNA on it').writing).toEqual(['zulufuna']);
});

test('details with the same meaning count for a match even in another language; if no details agree, they count against a match', () => {
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
])('a Swahili verb in a derived form has the meaning of its stem: %s', (derived, plain) => {
  const details = (word: string) => read(`Begi | ${word}`).details.flat();
  expect(details(derived).filter((key) => details(plain).includes(key))).not.toEqual([]);
});

test('two found goats are a possible match for four lost goats, and score higher than seven found goats', () => {
  const lost = 'Mbuzi wanne weusi | | Chanika';
  const part = judge(lost, 'Two black goats | | Chanika');
  expect(part.confidence).toBe('possible');
  expect(judge(lost, 'Seven black goats | | Chanika').score).toBeLessThan(part.score);
});

test('a post about a thing that the lexicon lacks can match another post by its other details', () => {
  const known = 'Toolbox | rust, handle tied with red wire, marked ZULUFUNA | Goba';
  expect(judge('Kadubwana | mpini umefungwa waya mwekundu, ZULUFUNA | Goba', known).confidence).not.toBeNull();
});

test('a place name that exists in several towns is read as the same place in both posts, if only one post names the town', () => {
  expect(points('place', 'Simu | | Soko la Kilombero Arusha', 'Simu | | kwa wauza mitumba Kilombero')).toBeGreaterThan(
    0,
  );
});

test('two different plate numbers count strongly against a match, even if both things are of the same model', () => {
  expect(points('number', 'Boxer BM150 | MC 552 CZA | Tanga', 'Boxer BM150 | MC 908 DBB | Tanga')).toBeLessThan(-2);
  expect(read('Boxer BM150').identifiers).toEqual([]);
});

test('the beginning of a document number, as in “starts with 7712”, is compared with the complete number in the other post', () => {
  const whole = 'Kadi | namba 7712009 | Tanga';
  expect(points('number', whole, 'Card | starts with 7712 | Tanga')).toBeGreaterThan(0);
  expect(points('number', whole, 'Card | inaanza na 8812 | Tanga')).toBeLessThan(0);
});

test('agreement in a rare colour counts more for a match than agreement in a common colour', () => {
  const [lost, found] = [
    readPost(makePost('Mwavuli wa zambarau | | Sinza')),
    readPost(makePost('Purple umbrella | | Sinza', 'finder')),
  ];
  const among = (share: number): number =>
    judgePair(lost, found, { openPosts: 1000, shareOf: (value) => (value === 'colour purple' ? share : null) }).score;
  expect(among(0.01)).toBeGreaterThan(among(0.1));
  expect(among(0.1)).toBeGreaterThan(among(0.5));
});

test('words on one line of the lexicon’s glossary, such as “tripod” and “stendi ya kamera”, are read as the same thing', () => {
  const ids = (title: string) => read(title).heads.flatMap((head) => head.ids);
  expect(ids('Lost a tripod')).toEqual(ids('Nimepoteza stendi ya kamera'));
  expect(ids('Sufuria la shughuli')).toEqual(ids('Catering pot'));
});

function deniedBy(description: string): string[] {
  return read(`Laptop | ${description}`).denied.flat();
}

test('“one button on the top row is not there” says that the button is missing, not the row', () => {
  expect(deniedBy('one button on the top row is not there')).toContain('attribute button');
  expect(deniedBy('one button on the top row is not there')).not.toContain('concept g:row');
});

test('“without sticker” and “sticker haina” mean that there is no sticker, but “sticker without” before another word does not', () => {
  expect(deniedBy('sticker without zulufuna')).toEqual([]);
  expect(deniedBy('without sticker')).toContain('attribute sticker');
  expect(deniedBy('sticker haina')).toContain('attribute sticker');
});

test('the first name “Ibra” equals “Ibrahim”, but “Juma” does not equal “Jumanne”, because “Juma” is itself a full name', () => {
  const owner = (found: string) => points('owner', 'Begi | | Tanga | Ibrahim Kondo', `Bag | | Tanga | ${found}`);
  expect(owner('Ibra Kondo')).toBeGreaterThan(0.9);
  expect(owner('Iddi Kondo')).toBeLessThan(0);
  expect(points('owner', 'Begi | | Tanga | Jumanne Kondo', 'Bag | | Tanga | Juma Kondo')).toBeLessThan(0);
});

test('the Swahili words for “second class” are not read as the name of a person', () => {
  expect(read('Begi la mwanangu wa darasa la pili').persons).toEqual([]);
  expect(read('Begi | jina Pili Kondo').persons.flatMap(({ names }) => names)).toEqual(['pili', 'kondo']);
});

test('in “I marked it 3” the mark is read as “3”, and not as “it 3”', () => {
  const numberIn = (text: string) => read(`Betri | ${text}`).values.filter(({ slot }) => slot === 'number');
  expect(numberIn('I marked it 3 with a pen')).toEqual([{ slot: 'number', value: '3' }]);
  expect(numberIn('marked B 3 with a pen')).toEqual([{ slot: 'number', value: 'b3' }]);
});

test('after “painted” or “printed” only a name is read as writing on the thing, not an ordinary word', () => {
  const writing = (text: string) => read(`Kofia | ${text}`).writing;
  expect(writing('band printed with small flowers')).toEqual([]);
  expect(writing('painted green on top')).toEqual([]);
  expect(writing('painted on the side Zulufuna')).toEqual(['zulufuna']);
  expect(writing('maandishi zulufuna')).toEqual(['zulufuna']);
});

test('“Norwegian” and “Norway” mean the same country', () => {
  const lost = 'Mkanda | una bendera ya Norway | Tanga';
  expect(points('said', lost, 'Belt | with the Norwegian flag | Tanga')).toBeGreaterThan(
    points('said', lost, 'Belt | with the Swedish flag | Tanga'),
  );
});

test('two children’s bags contradict each other if they show different cartoon characters', () => {
  const attributes = (title: string) => read(title).heads.flatMap((head) => [...head.attributes]);
  expect(attributes('Begi la shule spaidaman')).toEqual(attributes('School bag, Spider man'));
  expect(points('attributes', 'Begi la shule la Elsa', 'Spiderman school bag')).toBeLessThan(0);
});

test('words without a meaning of their own, such as “probably”, are not read as details of the thing', () => {
  expect(read('Begi | lilikua probably lenyewe during baadaye').details).toEqual([]);
});

test('“wallet missing” in a title means that the wallet is lost, and not that the thing lacks a wallet', () => {
  expect(read('Brown leather wallet missing').denied).toEqual([]);
  expect(deniedBy('battery cover missing')).not.toEqual([]);
});

test('“no lid” in Swahili agrees with “lid missing” in English', () => {
  const lost = 'Kombe | halina mfuniko | Himo';
  expect(points('denied', lost, 'Trophy | lid missing | Himo')).toBeGreaterThanOrEqual(0);
  expect(points('denied', lost, 'Trophy | with its lid | Himo')).toBeLessThan(0);
});

test('from “written zulufuna abekodi 2009” in Swahili, the two lower-case words are read as writing on the thing, and 2009 is not', () => {
  expect(read('Kombe | limeandikwa zulufuna abekodi 2009').writing).toEqual(['zulufuna', 'abekodi']);
});

test('“engraved with a name and date” is not read as writing on the thing, because the post does not say the name', () => {
  expect(read('Ring | engraved inside with a name and date').writing).toEqual([]);
  expect(read('Ring | engraved inside with ZULUFUNA').writing).toEqual(['zulufuna']);
});

test('two places of the same name contradict each other only if both posts name the town, and the towns differ', () => {
  const lost = 'Simu | | Mnazi Mmoja clinic, Dar';
  expect(points('place', lost, 'Simu | | hospitali ya Mnazi mmoja')).toBeGreaterThan(0);
  expect(points('place', lost, 'Simu | | hospitali ya Mnazi mmoja, Zanzibar')).toBeLessThan(-0.8);
});

test('a village that the lexicon lacks is not taken for a place in the lexicon with a similar name', () => {
  expect(read('Simu | | Kigereke').places.said).toEqual([]);
  expect(read('Simu | | Kariako').places.said.flat()).toEqual(['Kariakoo, Ilala']);
});

test('two different kinds of document contradict each other more than a document and a box do', () => {
  const lost = 'Cheti cha ndoa | | Goba';
  const other = points('thing', lost, 'Sanduku | | Goba');
  expect(other).toBeLessThan(-0.5);
  expect(other).toBeGreaterThan(points('thing', lost, 'Leseni ya udereva | | Goba'));
});

test('the Swahili “mkufu” and the English “necklace” are read as the same thing', () => {
  expect(points('thing', 'Mkufu wa fedha | | Goba', 'Necklace | | Goba')).toBeGreaterThan(0.2);
  expect(points('thing', 'Mkufu wa fedha | | Goba', 'Ring | | Goba')).toBeLessThan(0);
});
