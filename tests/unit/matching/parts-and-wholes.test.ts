import { expect, test } from 'vitest';
import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { mayAgree } from '#worker/matching/words/noun-classes.ts';
import { judge, points, read } from './make-post.ts';

test.each<[string, Aspect, string, string, string]>([
  [
    'the colour of what is on it',
    'features',
    'Mdoli | nywele za njano | Mbeya',
    'Doll | yellow hair | Mbeya',
    'Doll | black hair | Mbeya',
  ],
  [
    'how many there are of it',
    'features',
    'Ring | gold with one blue stone | Paje',
    'Pete | ya dhahabu, jiwe moja la bluu | Paje',
    'Ring | gold, three blue stones | Paje',
  ],
  [
    'whose name stands on a part',
    'features',
    'Funguo | kamba ya Chelsea | Goba',
    'Keys | with a rope of Chelsea | Goba',
    'Keys | with a rope of Arsenal | Goba',
  ],
  [
    'whose name stands before a part',
    'features',
    'Tablet | black, NBS sticker | Mpanda',
    'Tablet | nyeusi, stika ya NBS | Mpanda',
    'Tablet | nyeusi, stika ya TMDA | Mpanda',
  ],
])('%s that is another speaks against a pair', (_, aspect, lost, same, other) => {
  expect(points(aspect, lost, same)).toBeGreaterThan(0);
  expect(points(aspect, lost, other)).toBeLessThan(-0.3);
});

test('a colour of a part is not one of the whole', () => {
  const { heads, features } = read('Pete | ya dhahabu, jiwe jekundu | Paje');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['gold']);
  expect(features.map(({ colours }) => [...colours])).toEqual([['red']]);
  expect([...(read('Mlango | painted green').heads[0]?.colours ?? [])]).toEqual(['green']);
});

test('a Swahili quality is said of the noun with which it agrees', () => {
  const { heads, parts } = read('Begi lenye vitabu jeusi');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['black']);
  expect(parts.flatMap(({ colours }) => [...colours])).toEqual([]);
  expect(read('Begi lenye vitabu vyeusi').parts.flatMap(({ colours }) => [...colours])).toEqual(['black']);
});

test.each([
  ['kitabu', 'cheusi', true],
  ['begi', 'cheusi', false],
  ['vitabu', 'jeusi', false],
  ['begi', 'jeusi', true],
  ['mkoba', 'mweusi', true],
  ['kitabu', 'mweusi', false],
  ['mikanda', 'myeusi', true],
  ['begi', 'myeusi', false],
  ['mabegi', 'meusi', true],
  ['begi', 'meusi', false],
  ['kitabu', 'nyeusi', true],
])('%s %s: %s', (noun, adjective, agrees) => {
  expect(mayAgree(noun, adjective)).toBe(agrees);
});

test('an English colour after a Swahili connective is said of what went before', () => {
  const { heads, parts } = read('Toroli | ya blue tairi la upepo');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['blue']);
  expect(parts.flatMap(({ colours }) => [...colours])).toEqual([]);
});

test('of two groups every one that was found must be one that was lost', () => {
  const lost = 'Kondoo watatu | wawili weupe na mmoja mweusi | Kibaya';
  expect(points('group', lost, 'Three sheep | two white and one black | Kibaya')).toBeGreaterThan(0);
  const part = points('group', lost, 'One sheep | white | Kibaya');
  expect(part).toBeLessThan(0);
  expect(points('group', lost, 'Two sheep | one white, one brown | Kibaya')).toBeLessThan(part);
  expect(points('group', lost, 'Three sheep | three white and one black | Kibaya')).toBeLessThan(part);
});

test('the others of a group are as many as are left, and what an animal has one of is no member', () => {
  const members = (post: string) => read(post).members.map(({ count, colours }) => [count, ...colours]);
  expect(members('Bata | ni sita, mmoja mweusi wengine weupe')).toEqual([
    [1, 'black'],
    [null, 'white'],
  ]);
  expect(members('Mbuzi | jicho moja jeusi, sikio moja jeupe')).toEqual([]);
  expect(read('Bata | dume moja jeusi, majike 5 meupe').members.flatMap(({ attributes }) => [...attributes])).toEqual([
    'male',
    'female',
  ]);
});

test('laces told apart make no group of shoes', () => {
  const lost = 'Njumu | kamba moja nyeupe moja nyeusi | Kaitaba';
  expect(points('group', lost, 'Football boot | red | Kaitaba')).toBe(0);
});

test('of several things that both name those two are compared that go together best', () => {
  const lost = 'Simu ya Tecno na simu ya Nokia | Tecno nyeusi, Nokia ya bluu | Goba';
  const one = judge(lost, 'Blue Nokia phone | | Goba');
  expect(one.score).toBeGreaterThan(judge(lost, 'Blue Samsung phone | | Goba').score);
});

test('a bag and what is in it are two readings, of which the likelier one is judged', () => {
  const card = 'Kitambulisho cha taifa | | Goba | Zulufuna Kobesua';
  const bag = 'Begi jeusi | ndani kuna kitambulisho cha taifa | Goba | Zulufuna Kobesua';
  expect(points('thing', bag, card)).toBeGreaterThan(0);
  expect(points('thing', bag, 'Paspoti | | Goba | Zulufuna Kobesua')).toBeLessThanOrEqual(0);
});

test('what opens a clause with "inside" is in the thing, and not around it', () => {
  expect(read('Blue bag | inside a laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Begi | ndani laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Laptop | left inside a bus').parts).toEqual([]);
});

test('of what two bags hold some must be the same', () => {
  const lost = 'Backpack | with books, a uniform and a lunch box | Goba';
  expect(points('contents', lost, 'Backpack | with books and a uniform | Goba')).toBe(0);
  expect(points('contents', lost, 'Backpack | with a hammer, a saw and a uniform | Goba')).toBeLessThan(0);
  expect(points('contents', lost, 'Backpack | with a hammer and a saw | Goba')).toBeLessThan(-0.6);
});

test('a colour is not that of a noun after it with which it cannot agree, nor that of what is written', () => {
  const colours = (side: string): string[] => [...(read(side).heads[0]?.colours ?? [])];
  expect(colours('Kondoo watano | weupe kichwa chekundu')).toEqual(['white']);
  expect(colours('Kondoo watano | weusi wote, wameandikwa P kwa rangi nyekundu')).toEqual(['black']);
  expect(colours('Jerrycan | blue, marked KH in red paint')).toEqual(['blue']);
});

test('of two things the colour of the one does not contradict that of the other', () => {
  const lost = 'Baby carrier and blanket | blanket is yellow, carrier navy | Paje';
  expect(points('colour', lost, 'Baby blanket | plus a navy carrier | Paje')).toBe(0);
  expect(points('colour', 'Blanket | yellow | Paje', 'Baby blanket | navy | Paje')).toBeLessThan(0);
});

test('a bag of papers and a handbag may be one, a paper and a purse are two', () => {
  const folder = 'Mkoba wa nyaraka | | Goba';
  const card = 'Cheti cha kuzaliwa | | Goba';
  const bag = 'Handbag | | Goba';
  expect(points('thing', folder, bag)).toBeGreaterThan(points('thing', card, 'Radio | | Goba'));
});
