import { expect, test } from 'vitest';
import type { Aspect } from '#worker/matching/judging/evidence.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import {
  closestKinship,
  composeThing,
  familyOf,
  isContainer,
  isMadeBy,
  isPartOfMake,
  kinship,
  narrowByBrand,
  widerThings,
} from '#worker/matching/lexicon/thing-relations.ts';
import { mayAgree } from '#worker/matching/words/morphology.ts';
import { judge, points, read } from './make-post.ts';

test.each([
  ['phone', 'phone', 'same'],
  ['wallet', 'purse', 'near'],
  ['purse', 'wallet', 'near'],
  ['nida', 'id-card', 'wider'],
  ['id-card', 'nida', 'wider'],
  ['nida', 'document', 'wider'],
  ['nida', 'voter-card', 'none'],
  ['charger', 'electronics', 'none'],
  ['phone', 'unheard-of', 'none'],
  ['unheard-of', 'phone', 'none'],
])('the things “%s” and “%s” have the relation: %s', (a, b, kin) => {
  expect(kinship(a, b)).toBe(kin);
});

test('if two words have several possible meanings, the closest pair of meanings decides how the things are related', () => {
  expect(closestKinship(['goat', 'nida'], ['phone', 'id-card'])).toBe('wider');
  expect(closestKinship(['nida', 'wallet'], ['id-card', 'purse'])).toBe('near');
  expect(closestKinship(['wallet', 'phone'], ['purse', 'phone'])).toBe('same');
  expect(closestKinship([], ['phone'])).toBe('none');
});

test('a thing’s wider things, such as NIDA card, identity card, document, are listed from the nearest to the widest', () => {
  expect(widerThings('nida')).toEqual(['nida', 'id-card', 'document']);
  expect(widerThings('unheard-of')).toEqual([]);
});

test.each([
  ['keys', 'car', 'car-keys'],
  ['keys', 'lorry', 'car-keys'],
  ['bag', 'laptop', 'laptop-bag'],
  ['card', 'nida', 'nida'],
  ['id-card', 'nida', 'nida'],
  ['screen', 'goat', null],
  ['chain', 'bicycle', null],
])('“%s of a %s” is read as the single thing: %s (null: as none)', (head, modifier, composed) => {
  expect(composeThing([head], [modifier])).toEqual(composed === null ? null : [composed]);
});

test('a compound with an ambiguous word is read by the meaning that fits', () => {
  expect(composeThing(['keys'], ['goat', 'car'])).toEqual(['car-keys']);
});

test.each([
  ['keys', 'Toyota', 'car-keys'],
  ['card', 'CRDB', 'bank-card'],
  ['phone', 'Tecno', null],
  ['goat', 'Toyota', null],
  ['keys', 'Unheard of', null],
])('“%s” with the brand %s is narrowed to: %s (null: not narrowed)', (thing, brand, narrowed) => {
  expect(narrowByBrand([thing], brand)).toEqual(narrowed === null ? null : [narrowed]);
});

test('a brand that makes several electronic things does not narrow “electronics”', () => {
  expect(narrowByBrand(['electronics'], 'Samsung')).toBeNull();
});

test('a brand makes only the things listed for it, and has parts only of these things', () => {
  expect([isMadeBy(['phone'], 'Tecno'), isMadeBy(['goat'], 'Tecno'), isMadeBy(['phone'], 'Nobody')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isPartOfMake(['tyre'], 'Toyota'), isPartOfMake(['tyre'], 'Tecno')]).toEqual([true, false]);
  expect([isContainer('bag'), isContainer('backpack'), isContainer('phone')]).toEqual([true, true, false]);
});

test('things that may be the same thing belong to one family, such as a wallet and a purse', () => {
  expect(familyOf('nida')).toBe(familyOf('id-card'));
  expect(familyOf('wallet')).toBe(familyOf('purse'));
  expect(familyOf('phone')).not.toBe(familyOf('nida'));
  expect(familyOf('phone-cover')).not.toBe(familyOf('screen-protector'));
  expect(familyOf('unheard-of')).toBe('unheard-of');
});

test('chat abbreviations such as “cm” for “simu” are read in full; a lexicon entry without abbreviations adds none', () => {
  const { chat } = getLexicon();
  expect(chat.get('cm')).toEqual(['simu']);
  expect(chat.has('')).toBe(false);
  expect([...chat.values()].flat()).not.toContain('');
});

const headOf = (side: string) => read(side).heads[0];

test('a colour between the two halves of a Swahili phrase does not break the phrase', () => {
  expect(headOf('Koti jeupe la daktari')).toMatchObject({ ids: ['lab-coat'], colours: new Set(['white']) });
  expect(headOf('Begi jeusi dogo la mgongoni')?.ids).toEqual(['backpack']);
  expect(judge('Koti jeupe la daktari | | Bugando', 'White coat | | Bugando').confidence).toBe('sure');
});

test('one half of a two-word name may be in the other language', () => {
  expect(headOf('Kadi ya yellow fever')?.ids).toEqual(['yellow-fever-card']);
  expect(headOf('Battery ya gari')?.ids).toEqual(['car-battery']);
});

test('a description that begins with “of” (“ya jua”) is read as a continuation of the title', () => {
  expect(headOf('Nimesahau miwani kinyozi | ya jua, kahawia')?.ids).toEqual(['sunglasses']);
});

test('“phone without a cover” is not read as mentioning a cover', () => {
  const { heads, parts } = read('Redmi note 11 blue bila kava');
  expect(heads.map((head) => head.ids)).toEqual([['phone']]);
  expect(parts).toEqual([]);
});

test('in “Vivo Y17, purple, yellow cover” the make is read as the thing, and the cover as a part of it', () => {
  expect(headOf('Vivo Y17, purple, yellow cover')?.ids).toEqual(['phone']);
});

test('a word of the owner’s name is not read as a thing', () => {
  expect(headOf('Kadi ya NSSF ya Issa Kondo | | Ilala | Issa Kondo')?.ids).toEqual(['nssf-card']);
});

test('a sack of maize is read as maize', () => {
  expect(headOf('Gunia moja la mahindi')?.ids).toEqual(['maize']);
});

test.each([
  ['a mirror of another make', 'Side mirror ya Noah | | Gerezani', 'Side mirror ya Nissan | | Gerezani'],
  ['a charger of another make', 'Nokia charger | | Rorya', 'iPhone charger | | Rorya'],
  [
    'a vehicle whose plate number has two characters swapped',
    'Bajaji MC 224 DLP | | Tabata',
    'Bajaji MC 242 DLP | | Tabata',
  ],
  ['an adult’s, not a child’s', 'One child’s white shoe | | Bunju', 'Kiatu kimoja cheupe cha mwanamke | | Bunju'],
  ['an animal of the other sex', 'Black bull | | Sengerema', 'Ng’ombe jike mweusi | | Sengerema'],
])('a lost and a found thing are not a sure match if the found one is %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('with different owners’ names, two phones are a possible match, but two documents are not a sure match', () => {
  const lost = 'Simu Tecno Spark 8 nyeusi | | Sinza | Asha Juma';
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza | Rehema Said').confidence).toBe('possible');
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza').confidence).toBe('sure');
  expect(judge('NIDA | | Sinza | Asha Juma', 'NIDA | | Sinza | Rehema Said').confidence).not.toBe('sure');
});

test('“a male” alone is read as an animal, and beside an animal’s name as its sex', () => {
  const bull = read('Kuna dume limeingia zizini | jekundu, aje na barua').heads[0];
  expect(bull?.ids).toEqual(['animal']);
  expect([...(bull?.attributes ?? [])]).toContain('male');
  expect(read('Mbuzi dume | mweusi').heads.map(({ ids }) => ids)).toEqual([['goat']]);
  expect(read("Ng'ombe jike mweusi").heads[0]?.attributes.has('female')).toBe(true);
});

test.each<[string, Aspect, string, string, string]>([
  [
    'the colour of a part',
    'features',
    'Mdoli | nywele za njano | Mbeya',
    'Doll | yellow hair | Mbeya',
    'Doll | black hair | Mbeya',
  ],
  [
    'the number of a part',
    'features',
    'Ring | gold with one blue stone | Paje',
    'Pete | ya dhahabu, jiwe moja la bluu | Paje',
    'Ring | gold, three blue stones | Paje',
  ],
  [
    'the name on a part',
    'features',
    'Funguo | kamba ya Chelsea | Goba',
    'Keys | with a rope of Chelsea | Goba',
    'Keys | with a rope of Arsenal | Goba',
  ],
  [
    'the name before a part',
    'features',
    'Tablet | black, NBS sticker | Mpanda',
    'Tablet | nyeusi, stika ya NBS | Mpanda',
    'Tablet | nyeusi, stika ya TMDA | Mpanda',
  ],
])('a difference in %s counts against a match', (_, aspect, lost, same, other) => {
  expect(points(aspect, lost, same)).toBeGreaterThan(0);
  expect(points(aspect, lost, other)).toBeLessThan(-0.3);
});

test('the colour of a part is not read as the colour of the whole thing', () => {
  const { heads, features } = read('Pete | ya dhahabu, jiwe jekundu | Paje');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['gold']);
  expect(features.map(({ colours }) => [...colours])).toEqual([['red']]);
  expect([...(read('Mlango | painted green').heads[0]?.colours ?? [])]).toEqual(['green']);
});

test('a Swahili adjective belongs to the noun with which it agrees', () => {
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
])('in Swahili the noun “%s” may agree with the adjective “%s” (true or false): %s', (noun, adjective, agrees) => {
  expect(mayAgree(noun, adjective)).toBe(agrees);
});

test('after a Swahili “of” (“ya blue”) an English colour describes the word before it', () => {
  const { heads, parts } = read('Toroli | ya blue tairi la upepo');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['blue']);
  expect(parts.flatMap(({ colours }) => [...colours])).toEqual([]);
});

test('for a match every animal of the found group must also be in the lost group', () => {
  const lost = 'Kondoo watatu | wawili weupe na mmoja mweusi | Kibaya';
  expect(points('group', lost, 'Three sheep | two white and one black | Kibaya')).toBeGreaterThan(0);
  const part = points('group', lost, 'One sheep | white | Kibaya');
  expect(part).toBeLessThan(0);
  expect(points('group', lost, 'Two sheep | one white, one brown | Kibaya')).toBeLessThan(part);
  expect(points('group', lost, 'Three sheep | three white and one black | Kibaya')).toBeLessThan(part);
});

test('“the others” in a group are its remaining animals, and a single eye or ear is not an animal', () => {
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

test('two laces of different colours are not read as a group of shoes', () => {
  const lost = 'Njumu | kamba moja nyeupe moja nyeusi | Kaitaba';
  expect(points('group', lost, 'Football boot | red | Kaitaba')).toBe(0);
});

test('if both posts name several things, the two things that agree best are compared', () => {
  const lost = 'Simu ya Tecno na simu ya Nokia | Tecno nyeusi, Nokia ya bluu | Goba';
  const one = judge(lost, 'Blue Nokia phone | | Goba');
  expect(one.score).toBeGreaterThan(judge(lost, 'Blue Samsung phone | | Goba').score);
});

test('a bag with a document in it is also compared as the document', () => {
  const card = 'Kitambulisho cha taifa | | Goba | Zulufuna Kobesua';
  const bag = 'Begi jeusi | ndani kuna kitambulisho cha taifa | Goba | Zulufuna Kobesua';
  expect(points('thing', bag, card)).toBeGreaterThan(0);
  expect(points('thing', bag, 'Paspoti | | Goba | Zulufuna Kobesua')).toBeLessThanOrEqual(0);
});

test('after “inside” the next word is read as the content, not as the container', () => {
  expect(read('Blue bag | inside a laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Begi | ndani laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Laptop | left inside a bus').parts).toEqual([]);
});

test('bags whose contents do not overlap contradict each other', () => {
  const lost = 'Backpack | with books, a uniform and a lunch box | Goba';
  expect(points('contents', lost, 'Backpack | with books and a uniform | Goba')).toBe(0);
  expect(points('contents', lost, 'Backpack | with a hammer, a saw and a uniform | Goba')).toBeLessThan(0);
  expect(points('contents', lost, 'Backpack | with a hammer and a saw | Goba')).toBeLessThan(-0.6);
});

test('a colour belongs to the noun with which it agrees, and never to a word written on the thing', () => {
  const colours = (side: string): string[] => [...(read(side).heads[0]?.colours ?? [])];
  expect(colours('Kondoo watano | weupe kichwa chekundu')).toEqual(['white']);
  expect(colours('Kondoo watano | weusi wote, wameandikwa P kwa rangi nyekundu')).toEqual(['black']);
  expect(colours('Jerrycan | blue, marked KH in red paint')).toEqual(['blue']);
});

test('the colours of two different things in one post do not contradict the other post', () => {
  const lost = 'Baby carrier and blanket | blanket is yellow, carrier navy | Paje';
  expect(points('colour', lost, 'Baby blanket | plus a navy carrier | Paje')).toBe(0);
  expect(points('colour', 'Blanket | yellow | Paje', 'Baby blanket | navy | Paje')).toBeLessThan(0);
});

test('a document folder and a handbag match better than a certificate and a radio', () => {
  const folder = 'Mkoba wa nyaraka | | Goba';
  const card = 'Cheti cha kuzaliwa | | Goba';
  const bag = 'Handbag | | Goba';
  expect(points('thing', folder, bag)).toBeGreaterThan(points('thing', card, 'Radio | | Goba'));
});
