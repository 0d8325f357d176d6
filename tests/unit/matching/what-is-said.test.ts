import { expect, test } from 'vitest';
import { points, read } from './make-post.ts';

function deniedBy(description: string): string[] {
  return read(`Laptop | ${description}`).denied.flat();
}

test('what is not there is what the clause is about, and not where that would be', () => {
  expect(deniedBy('one button on the top row is not there')).toContain('attribute button');
  expect(deniedBy('one button on the top row is not there')).not.toContain('concept g:row');
});

test('what "without" denies follows it, though no list knows it', () => {
  expect(deniedBy('sticker without zulufuna')).toEqual([]);
  expect(deniedBy('without sticker')).toContain('attribute sticker');
  expect(deniedBy('sticker haina')).toContain('attribute sticker');
});

test('the beginning of a name stands for it where it is no name by itself', () => {
  const owner = (found: string) => points('owner', 'Begi | | Tanga | Ibrahim Kondo', `Bag | | Tanga | ${found}`);
  expect(owner('Ibra Kondo')).toBeGreaterThan(0.9);
  expect(owner('Iddi Kondo')).toBeLessThan(0);
  expect(points('owner', 'Begi | | Tanga | Jumanne Kondo', 'Bag | | Tanga | Juma Kondo')).toBeLessThan(0);
});

test('the second class is no person', () => {
  expect(read('Begi la mwanangu wa darasa la pili').persons).toEqual([]);
  expect(read('Begi | jina Pili Kondo').persons.flatMap(({ names }) => names)).toEqual(['pili', 'kondo']);
});

test('a word between a cue and a number is no part of the number', () => {
  const numberIn = (text: string) => read(`Betri | ${text}`).values.filter(({ slot }) => slot === 'number');
  expect(numberIn('I marked it 3 with a pen')).toEqual([{ slot: 'number', value: '3' }]);
  expect(numberIn('marked B 3 with a pen')).toEqual([{ slot: 'number', value: 'b3' }]);
});

test('of what is painted, printed or signed only names are writing', () => {
  const writing = (text: string) => read(`Kofia | ${text}`).writing;
  expect(writing('band printed with small flowers')).toEqual([]);
  expect(writing('painted green on top')).toEqual([]);
  expect(writing('painted on the side Zulufuna')).toEqual(['zulufuna']);
  expect(writing('maandishi zulufuna')).toEqual(['zulufuna']);
});

test('a country is one whatever its people or its language are called', () => {
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

test('words with a job in the sentence are no details', () => {
  expect(read('Begi | lilikua probably lenyewe during baadaye').details).toEqual([]);
});

test('what is lost in the title is not denied', () => {
  expect(read('Brown leather wallet missing').denied).toEqual([]);
  expect(deniedBy('battery cover missing')).not.toEqual([]);
});

test('a cup without its lid is one whether the lid is missing or is not there', () => {
  const lost = 'Kombe | halina mfuniko | Himo';
  expect(points('denied', lost, 'Trophy | lid missing | Himo')).toBeGreaterThanOrEqual(0);
  expect(points('denied', lost, 'Trophy | with its lid | Himo')).toBeLessThan(0);
});

test('figures among small letters are no writing by themselves', () => {
  expect(read('Kombe | limeandikwa zulufuna abekodi 2009').writing).toEqual(['zulufuna', 'abekodi']);
});

test('what it is engraved with is told, and not copied', () => {
  expect(read('Ring | engraved inside with a name and date').writing).toEqual([]);
  expect(read('Ring | engraved inside with ZULUFUNA').writing).toEqual(['zulufuna']);
});

test('a name of two towns contradicts only where both say which', () => {
  const lost = 'Simu | | Mnazi Mmoja clinic, Dar';
  expect(points('place', lost, 'Simu | | hospitali ya Mnazi mmoja')).toBeGreaterThan(0);
  expect(points('place', lost, 'Simu | | hospitali ya Mnazi mmoja, Zanzibar')).toBeLessThan(-0.8);
});

test('a village that no list knows is no other village', () => {
  expect(read('Simu | | Kigereke').places.said).toEqual([]);
  expect(read('Simu | | Kariako').places.said.flat()).toEqual(['Kariakoo, Ilala']);
});

test('a paper and something that is none contradict less than two papers', () => {
  const lost = 'Cheti cha ndoa | | Goba';
  const other = points('thing', lost, 'Sanduku | | Goba');
  expect(other).toBeLessThan(-0.5);
  expect(other).toBeGreaterThan(points('thing', lost, 'Leseni ya udereva | | Goba'));
});

test('a thing that only the glossary has is of the kind that its names in both languages say', () => {
  expect(points('thing', 'Mkufu wa fedha | | Goba', 'Necklace | | Goba')).toBeGreaterThan(0.2);
  expect(points('thing', 'Mkufu wa fedha | | Goba', 'Ring | | Goba')).toBeLessThan(0);
});
