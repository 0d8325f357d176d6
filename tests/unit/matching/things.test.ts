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
])('%s and %s: %s', (a, b, kin) => {
  expect(kinship(a, b)).toBe(kin);
});

test('of several readings the closest one counts', () => {
  expect(closestKinship(['goat', 'nida'], ['phone', 'id-card'])).toBe('wider');
  expect(closestKinship(['nida', 'wallet'], ['id-card', 'purse'])).toBe('near');
  expect(closestKinship(['wallet', 'phone'], ['purse', 'phone'])).toBe('same');
  expect(closestKinship([], ['phone'])).toBe('none');
});

test('wider things are listed from the nearest on', () => {
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
])('a %s of a %s is %s', (head, modifier, composed) => {
  expect(composeThing([head], [modifier])).toEqual(composed === null ? null : [composed]);
});

test('a thing with either of two readings has the relation of one of them', () => {
  expect(composeThing(['keys'], ['goat', 'car'])).toEqual(['car-keys']);
});

test.each([
  ['keys', 'Toyota', 'car-keys'],
  ['card', 'CRDB', 'bank-card'],
  ['phone', 'Tecno', null],
  ['goat', 'Toyota', null],
  ['keys', 'Unheard of', null],
])('a %s of %s is %s', (thing, brand, narrowed) => {
  expect(narrowByBrand([thing], brand)).toEqual(narrowed === null ? null : [narrowed]);
});

test('a make of several kinds of one thing does not tell which', () => {
  expect(narrowByBrand(['electronics'], 'Samsung')).toBeNull();
});

test('a make has some things, and parts belong to them', () => {
  expect([isMadeBy(['phone'], 'Tecno'), isMadeBy(['goat'], 'Tecno'), isMadeBy(['phone'], 'Nobody')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isPartOfMake(['tyre'], 'Toyota'), isPartOfMake(['tyre'], 'Tecno')]).toEqual([true, false]);
  expect([isContainer('bag'), isContainer('backpack'), isContainer('phone')]).toEqual([true, true, false]);
});

test('things that may be the same belong to one family, and a heading makes no family', () => {
  expect(familyOf('nida')).toBe(familyOf('id-card'));
  expect(familyOf('wallet')).toBe(familyOf('purse'));
  expect(familyOf('phone')).not.toBe(familyOf('nida'));
  expect(familyOf('phone-cover')).not.toBe(familyOf('screen-protector'));
  expect(familyOf('unheard-of')).toBe('unheard-of');
});

test('hurried words are read as what they abbreviate, and a line without one adds none', () => {
  const { chat } = getLexicon();
  expect(chat.get('cm')).toEqual(['simu']);
  expect(chat.has('')).toBe(false);
  expect([...chat.values()].flat()).not.toContain('');
});

const headOf = (side: string) => read(side).heads[0];

test('a colour between the halves of a Swahili phrase leaves the phrase intact', () => {
  expect(headOf('Koti jeupe la daktari')).toMatchObject({ ids: ['lab-coat'], colours: new Set(['white']) });
  expect(headOf('Begi jeusi dogo la mgongoni')?.ids).toEqual(['backpack']);
  expect(judge('Koti jeupe la daktari | | Bugando', 'White coat | | Bugando').confidence).toBe('sure');
});

test('one half of a phrase may be in the other language', () => {
  expect(headOf('Kadi ya yellow fever')?.ids).toEqual(['yellow-fever-card']);
  expect(headOf('Battery ya gari')?.ids).toEqual(['car-battery']);
});

test('a description that begins with "of" continues the title', () => {
  expect(headOf('Nimesahau miwani kinyozi | ya jua, kahawia')?.ids).toEqual(['sunglasses']);
});

test('a missing thing is not the thing', () => {
  const { heads, parts } = read('Redmi note 11 blue bila kava');
  expect(heads.map((head) => head.ids)).toEqual([['phone']]);
  expect(parts).toEqual([]);
});

test('a make with its own clause is the thing, and the next clause is on it', () => {
  expect(headOf('Vivo Y17, purple, yellow cover')?.ids).toEqual(['phone']);
});

test('the owner’s name in the text is not a thing', () => {
  expect(headOf('Kadi ya NSSF ya Issa Kondo | | Ilala | Issa Kondo')?.ids).toEqual(['nssf-card']);
});

test('a sack of maize counts as maize', () => {
  expect(headOf('Gunia moja la mahindi')?.ids).toEqual(['maize']);
});

test.each([
  ['a mirror of another make', 'Side mirror ya Noah | | Gerezani', 'Side mirror ya Nissan | | Gerezani'],
  ['a charger of another make', 'Nokia charger | | Rorya', 'iPhone charger | | Rorya'],
  ['a plate with two characters swapped', 'Bajaji MC 224 DLP | | Tabata', 'Bajaji MC 242 DLP | | Tabata'],
  ['a grown-up’s', 'One child’s white shoe | | Bunju', 'Kiatu kimoja cheupe cha mwanamke | | Bunju'],
  ['of the other sex', 'Black bull | | Sengerema', 'Ng’ombe jike mweusi | | Sengerema'],
])('%s is another thing', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test('a name that may be the finder’s keeps a phone possible, but separates documents', () => {
  const lost = 'Simu Tecno Spark 8 nyeusi | | Sinza | Asha Juma';
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza | Rehema Said').confidence).toBe('possible');
  expect(judge(lost, 'Black Tecno Spark 8 | | Sinza').confidence).toBe('sure');
  expect(judge('NIDA | | Sinza | Asha Juma', 'NIDA | | Sinza | Rehema Said').confidence).not.toBe('sure');
});

test('a word for a sex alone is an animal, and beside a thing it is a quality', () => {
  const bull = read('Kuna dume limeingia zizini | jekundu, aje na barua').heads[0];
  expect(bull?.ids).toEqual(['animal']);
  expect([...(bull?.attributes ?? [])]).toContain('male');
  expect(read('Mbuzi dume | mweusi').heads.map(({ ids }) => ids)).toEqual([['goat']]);
  expect(read("Ng'ombe jike mweusi").heads[0]?.attributes.has('female')).toBe(true);
});

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

test('the colour of a part is not the colour of the whole', () => {
  const { heads, features } = read('Pete | ya dhahabu, jiwe jekundu | Paje');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['gold']);
  expect(features.map(({ colours }) => [...colours])).toEqual([['red']]);
  expect([...(read('Mlango | painted green').heads[0]?.colours ?? [])]).toEqual(['green']);
});

test('a Swahili quality belongs to the noun with which it agrees', () => {
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

test('an English colour after a Swahili connective describes the word before it', () => {
  const { heads, parts } = read('Toroli | ya blue tairi la upepo');
  expect([...(heads[0]?.colours ?? [])]).toEqual(['blue']);
  expect(parts.flatMap(({ colours }) => [...colours])).toEqual([]);
});

test('in two groups, every found thing must be one of the lost ones', () => {
  const lost = 'Kondoo watatu | wawili weupe na mmoja mweusi | Kibaya';
  expect(points('group', lost, 'Three sheep | two white and one black | Kibaya')).toBeGreaterThan(0);
  const part = points('group', lost, 'One sheep | white | Kibaya');
  expect(part).toBeLessThan(0);
  expect(points('group', lost, 'Two sheep | one white, one brown | Kibaya')).toBeLessThan(part);
  expect(points('group', lost, 'Three sheep | three white and one black | Kibaya')).toBeLessThan(part);
});

test('“the others” of a group are the remaining ones, and a part that an animal has once is not a member', () => {
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

test('laces mentioned separately are not a group of shoes', () => {
  const lost = 'Njumu | kamba moja nyeupe moja nyeusi | Kaitaba';
  expect(points('group', lost, 'Football boot | red | Kaitaba')).toBe(0);
});

test('of several things in both posts the two that fit best are compared', () => {
  const lost = 'Simu ya Tecno na simu ya Nokia | Tecno nyeusi, Nokia ya bluu | Goba';
  const one = judge(lost, 'Blue Nokia phone | | Goba');
  expect(one.score).toBeGreaterThan(judge(lost, 'Blue Samsung phone | | Goba').score);
});

test('a bag and its content are two readings, of which the likelier is judged', () => {
  const card = 'Kitambulisho cha taifa | | Goba | Zulufuna Kobesua';
  const bag = 'Begi jeusi | ndani kuna kitambulisho cha taifa | Goba | Zulufuna Kobesua';
  expect(points('thing', bag, card)).toBeGreaterThan(0);
  expect(points('thing', bag, 'Paspoti | | Goba | Zulufuna Kobesua')).toBeLessThanOrEqual(0);
});

test('a clause that begins with "inside" names the content, not the container', () => {
  expect(read('Blue bag | inside a laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Begi | ndani laptop').parts.flatMap(({ ids }) => ids)).toEqual(['laptop']);
  expect(read('Laptop | left inside a bus').parts).toEqual([]);
});

test('the contents of two bags must overlap', () => {
  const lost = 'Backpack | with books, a uniform and a lunch box | Goba';
  expect(points('contents', lost, 'Backpack | with books and a uniform | Goba')).toBe(0);
  expect(points('contents', lost, 'Backpack | with a hammer, a saw and a uniform | Goba')).toBeLessThan(0);
  expect(points('contents', lost, 'Backpack | with a hammer and a saw | Goba')).toBeLessThan(-0.6);
});

test('a colour does not belong to a later noun with which it cannot agree, nor to a noun in written text', () => {
  const colours = (side: string): string[] => [...(read(side).heads[0]?.colours ?? [])];
  expect(colours('Kondoo watano | weupe kichwa chekundu')).toEqual(['white']);
  expect(colours('Kondoo watano | weusi wote, wameandikwa P kwa rangi nyekundu')).toEqual(['black']);
  expect(colours('Jerrycan | blue, marked KH in red paint')).toEqual(['blue']);
});

test('the colours of two different things do not contradict each other', () => {
  const lost = 'Baby carrier and blanket | blanket is yellow, carrier navy | Paje';
  expect(points('colour', lost, 'Baby blanket | plus a navy carrier | Paje')).toBe(0);
  expect(points('colour', 'Blanket | yellow | Paje', 'Baby blanket | navy | Paje')).toBeLessThan(0);
});

test('a bag of papers and a handbag may be the same, a paper and a purse are not', () => {
  const folder = 'Mkoba wa nyaraka | | Goba';
  const card = 'Cheti cha kuzaliwa | | Goba';
  const bag = 'Handbag | | Goba';
  expect(points('thing', folder, bag)).toBeGreaterThan(points('thing', card, 'Radio | | Goba'));
});
