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
])('the relation of the thing “%s” to the thing “%s” is “%s”', (a, b, kin) => {
  expect(kinship(a, b)).toBe(kin);
});

test('two words with several meanings are compared by the pair of meanings that is related most closely', () => {
  expect(closestKinship(['goat', 'nida'], ['phone', 'id-card'])).toBe('wider');
  expect(closestKinship(['nida', 'wallet'], ['id-card', 'purse'])).toBe('near');
  expect(closestKinship(['wallet', 'phone'], ['purse', 'phone'])).toBe('same');
  expect(closestKinship([], ['phone'])).toBe('none');
});

test('widerThings lists the thing and then all wider things, the nearest first, such as NIDA card, identity card, document', () => {
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
])('“%s of a %s” is read as the single thing %s (null: as two things)', (head, modifier, composed) => {
  expect(composeThing([head], [modifier])).toEqual(composed === null ? null : [composed]);
});

test('“keys” with a word that can mean a goat or a car are read as car keys, because goat keys are not a known thing', () => {
  expect(composeThing(['keys'], ['goat', 'car'])).toEqual(['car-keys']);
});

test.each([
  ['keys', 'Toyota', 'car-keys'],
  ['card', 'CRDB', 'bank-card'],
  ['phone', 'Tecno', null],
  ['goat', 'Toyota', null],
  ['keys', 'Unheard of', null],
])(
  '“%s” with the brand %s is read as a more specific thing: %s (null: no more specific thing is known)',
  (thing, brand, narrowed) => {
    expect(narrowByBrand([thing], brand)).toEqual(narrowed === null ? null : [narrowed]);
  },
);

test('“electronics” with a brand that makes several electronic things is not read as one of these things', () => {
  expect(narrowByBrand(['electronics'], 'Samsung')).toBeNull();
});

test('a phone can be of the brand Tecno and a tyre of the brand Toyota; a goat or a tyre cannot be of the brand Tecno', () => {
  expect([isMadeBy(['phone'], 'Tecno'), isMadeBy(['goat'], 'Tecno'), isMadeBy(['phone'], 'Nobody')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isPartOfMake(['tyre'], 'Toyota'), isPartOfMake(['tyre'], 'Tecno')]).toEqual([true, false]);
  expect([isContainer('bag'), isContainer('backpack'), isContainer('phone')]).toEqual([true, true, false]);
});

test('things that people may confuse, such as a wallet and a purse, belong to one family', () => {
  expect(familyOf('nida')).toBe(familyOf('id-card'));
  expect(familyOf('wallet')).toBe(familyOf('purse'));
  expect(familyOf('phone')).not.toBe(familyOf('nida'));
  expect(familyOf('phone-cover')).not.toBe(familyOf('screen-protector'));
  expect(familyOf('unheard-of')).toBe('unheard-of');
});

test('chat abbreviations such as “cm” for “simu” are read as the full word', () => {
  const { chat } = getLexicon();
  expect(chat.get('cm')).toEqual(['simu']);
  expect(chat.has('')).toBe(false);
  expect([...chat.values()].flat()).not.toContain('');
});

const headOf = (side: string) => read(side).heads[0];

test('the Swahili name of a thing is recognised although a colour separates its words, as in “koti jeupe la daktari”', () => {
  expect(headOf('Koti jeupe la daktari')).toMatchObject({ ids: ['lab-coat'], colours: new Set(['white']) });
  expect(headOf('Begi jeusi dogo la mgongoni')?.ids).toEqual(['backpack']);
  expect(judge('Koti jeupe la daktari | | Bugando', 'White coat | | Bugando').confidence).toBe('sure');
});

test('a thing is recognised even if its name mixes Swahili and English words, as in “kadi ya yellow fever”', () => {
  expect(headOf('Kadi ya yellow fever')?.ids).toEqual(['yellow-fever-card']);
  expect(headOf('Battery ya gari')?.ids).toEqual(['car-battery']);
});

test('a description that begins with “of” continues the title: “glasses” and “of the sun” are read as sunglasses', () => {
  expect(headOf('Nimesahau miwani kinyozi | ya jua, kahawia')?.ids).toEqual(['sunglasses']);
});

test('in “phone without a cover” the cover is not read as a part of the phone', () => {
  const { heads, parts } = read('Redmi note 11 blue bila kava');
  expect(heads.map((head) => head.ids)).toEqual([['phone']]);
  expect(parts).toEqual([]);
});

test('“Vivo Y17, purple, yellow cover” is read as a phone, and not as a cover', () => {
  expect(headOf('Vivo Y17, purple, yellow cover')?.ids).toEqual(['phone']);
});

test('a word in the owner’s name is not read as a thing', () => {
  expect(headOf('Kadi ya NSSF ya Issa Kondo | | Ilala | Issa Kondo')?.ids).toEqual(['nssf-card']);
});

test('a sack of maize is read as maize, and not as a sack', () => {
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
  [
    'an adult’s shoe instead of a child’s',
    'One child’s white shoe | | Bunju',
    'Kiatu kimoja cheupe cha mwanamke | | Bunju',
  ],
  ['an animal of the other sex', 'Black bull | | Sengerema', 'Ng’ombe jike mweusi | | Sengerema'],
])('a found thing is not a sure match with a lost thing if the found thing is %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('two phones or two documents with different owners’ names are not a sure match', () => {
  const lost = 'Simu Tecno Spark 8 nyeusi | | Sinza | Asha Juma';
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza | Rehema Said').confidence).toBe('possible');
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza').confidence).toBe('sure');
  expect(judge('NIDA | | Sinza | Asha Juma', 'NIDA | | Sinza | Rehema Said').confidence).not.toBe('sure');
});

test('“a male” alone is read as an animal; beside the name of an animal it is the animal’s sex', () => {
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
    'the number of stones on a ring',
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
    'the name in a phrase such as “NBS sticker”',
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

test('a Swahili adjective describes the noun with which it agrees', () => {
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
])('mayAgree, called with the Swahili noun “%s” and adjective “%s”, returns %s', (noun, adjective, agrees) => {
  expect(mayAgree(noun, adjective)).toBe(agrees);
});

test('an English colour after a Swahili “of”, as in “toroli ya blue”, describes the thing named before the “of”', () => {
  const { heads, parts } = read('Toroli | ya blue tairi la upepo');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['blue']);
  expect(parts.flatMap(({ colours }) => [...colours])).toEqual([]);
});

test('finding all animals of a lost group counts for a match; finding only some counts against it, but less than finding other animals', () => {
  const lost = 'Kondoo watatu | wawili weupe na mmoja mweusi | Kibaya';
  expect(points('group', lost, 'Three sheep | two white and one black | Kibaya')).toBeGreaterThan(0);
  const part = points('group', lost, 'One sheep | white | Kibaya');
  expect(part).toBeLessThan(0);
  expect(points('group', lost, 'Two sheep | one white, one brown | Kibaya')).toBeLessThan(part);
  expect(points('group', lost, 'Three sheep | three white and one black | Kibaya')).toBeLessThan(part);
});

test('“one black, the others white” describes the members of a group of animals, but “one eye black, one ear white” does not', () => {
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

test('one white and one black lace on a boot are not read as two boots of different colours', () => {
  const lost = 'Njumu | kamba moja nyeupe moja nyeusi | Kaitaba';
  expect(points('group', lost, 'Football boot | red | Kaitaba')).toBe(0);
});

test('if a post names several things, the thing that agrees best with the other post is compared', () => {
  const lost = 'Simu ya Tecno na simu ya Nokia | Tecno nyeusi, Nokia ya bluu | Goba';
  const one = judge(lost, 'Blue Nokia phone | | Goba');
  expect(one.score).toBeGreaterThan(judge(lost, 'Blue Samsung phone | | Goba').score);
});

test('a document named as the content of a bag counts for a match with a post about the same type of document', () => {
  const card = 'Kitambulisho cha taifa | | Goba | Zulufuna Kobesua';
  const bag = 'Begi jeusi | ndani kuna kitambulisho cha taifa | Goba | Zulufuna Kobesua';
  expect(points('thing', bag, card)).toBeGreaterThan(0);
  expect(points('thing', bag, 'Paspoti | | Goba | Zulufuna Kobesua')).toBeLessThanOrEqual(0);
});

test('the word after “inside” is read as the content of the thing, unless it names where the thing was', () => {
  expect(read('Blue bag | inside a laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Begi | ndani laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Laptop | left inside a bus').parts).toEqual([]);
});

test('two bags with completely different contents contradict each other', () => {
  const lost = 'Backpack | with books, a uniform and a lunch box | Goba';
  expect(points('contents', lost, 'Backpack | with books and a uniform | Goba')).toBe(0);
  expect(points('contents', lost, 'Backpack | with a hammer, a saw and a uniform | Goba')).toBeLessThan(0);
  expect(points('contents', lost, 'Backpack | with a hammer and a saw | Goba')).toBeLessThan(-0.6);
});

test('the colour of a part of a thing, or of the writing on the thing, is not read as the colour of the thing', () => {
  const colours = (side: string): string[] => [...(read(side).heads[0]?.colours ?? [])];
  expect(colours('Kondoo watano | weupe kichwa chekundu')).toEqual(['white']);
  expect(colours('Kondoo watano | weusi wote, wameandikwa P kwa rangi nyekundu')).toEqual(['black']);
  expect(colours('Jerrycan | blue, marked KH in red paint')).toEqual(['blue']);
});

test('the colour of a baby carrier found with a blanket is not compared with the colour of the lost blanket', () => {
  const lost = 'Baby carrier and blanket | blanket is yellow, carrier navy | Paje';
  expect(points('colour', lost, 'Baby blanket | plus a navy carrier | Paje')).toBe(0);
  expect(points('colour', 'Blanket | yellow | Paje', 'Baby blanket | navy | Paje')).toBeLessThan(0);
});

test('a handbag is more similar to a document bag than a radio is to a certificate', () => {
  const folder = 'Mkoba wa nyaraka | | Goba';
  const card = 'Cheti cha kuzaliwa | | Goba';
  const bag = 'Handbag | | Goba';
  expect(points('thing', folder, bag)).toBeGreaterThan(points('thing', card, 'Radio | | Goba'));
});
