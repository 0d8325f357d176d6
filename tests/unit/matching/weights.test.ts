import { expect, test } from 'vitest';
import {
  closestHeads,
  compareAttributes,
  compareBelonging,
  compareColours,
  compareKinds,
  compareQualities,
} from '#worker/matching/judging/compare-items.ts';
import { compareIssuers, compareMakers, compareOwners } from '#worker/matching/judging/compare-names.ts';
import { compareAmounts, compareDays, compareIdentifiers } from '#worker/matching/judging/compare-numbers.ts';
import { compareContents, compareParts, compareWords } from '#worker/matching/judging/compare-parts.ts';
import { comparePlaces } from '#worker/matching/judging/compare-places.ts';
import { compareFeatures, compareOpposites } from '#worker/matching/judging/compare-said.ts';
import { compareConcepts, compareMeasures } from '#worker/matching/judging/compare-values.ts';
import { type Aspect, CONTRADICTION, type Evidence, NO_EVIDENCE } from '#worker/matching/judging/evidence.ts';
import { compareThin } from '#worker/matching/judging/match-rules.ts';
import { mentionsOf } from '#worker/matching/reading/item-mention.ts';
import type { Feature } from '#worker/matching/reading/read-features.ts';
import { readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';
import type { Measure } from '#worker/matching/reading/read-measures.ts';
import type { Person } from '#worker/matching/reading/read-names.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { read } from './make-post.ts';

test('the more parts of the owner’s name agree in two posts, the more the name counts for a match', () => {
  const person = (names: string, certainty: Person['certainty'] = 'said'): Person => ({
    names: names.split(' '),
    certainty,
  });
  const points = (lost: string, found: string): number => compareOwners([person(lost)], [person(found)], false).points;
  expectInOrder([
    ['four', points('asha juma omari mushi', 'asha juma omari mushi')],
    ['three', points('asha juma omari', 'asha juma omari')],
    ['two', points('asha juma', 'asha juma')],
    ['one', points('asha', 'asha')],
    NOTHING,
    ['another', points('asha juma', 'neema komba')],
  ]);
  expect(points('asha juma', 'asha juma')).toBeGreaterThan(1);
  expect(points('asha', 'asha')).toBeLessThan(0.5);
  const seen = compareOwners([person('asha juma', 'seen')], [person('neema komba')], false).points;
  expectInOrder([NOTHING, ['only seen', seen], AGAINST]);
  expect(compareOwners([person('asha juma', 'seen')], [person('neema komba')], true).points).toBe(CONTRADICTION);
});

test('a post that names two owners matches a post with both names better than a post with one; another second owner is a contradiction', () => {
  const people = (...names: string[]): Person[] => names.map((name) => ({ names: name.split(' '), certainty: 'said' }));
  const points = (lost: Person[], found: Person[]): number => compareOwners(lost, found, true).points;
  const couple = people('peter', 'esther');
  expect(points(couple, people('esther', 'peter'))).toBeGreaterThan(points(couple, people('peter')));
  expect(points(couple, people('peter', 'agnes'))).toBe(CONTRADICTION);
  const named = people('peter komba', 'esther mushi');
  expect(points(named, people('peter komba'))).toBe(points(people('peter komba'), people('peter komba')));
  expect(points(people('asha juma', 'asha hassan'), people('asha'))).toBe(points(people('asha'), people('asha')));
  expect(points(people('asha'), people('asha juma', 'asha hassan'))).toBe(points(people('asha'), people('asha')));
  expect(points(people('peter komba'), named)).toBe(points(named, people('peter komba')));
});

test('the nearer the place of the loss and the place of the find are, the more they count for a match', () => {
  const points = (lost: string, found: string): number =>
    comparePlaces(read(`x | | ${lost}`).places, read(`x | | ${found}`).places).points;
  expectInOrder([
    ['the same', points('Sinza', 'Sinza')],
    ['the same town', points('Moshi', 'Moshi')],
    ['inside', points('Manzese Tip Top', 'Manzese')],
    ['the same region', points('Morogoro', 'Morogoro')],
    ['the same district', points('Ilala', 'Ilala')],
    ['inside a district', points('Ubungo', 'Sinza')],
    ['the same large region', points('Dar es Salaam', 'Dar es Salaam')],
    ['near', points('Kinondoni', 'Sinza')],
    NOTHING,
    ['hardly within reach', points('Sinza', 'Mbagala')],
    ['elsewhere', points('Sinza', 'Chanika')],
  ]);
  expect(points('Sinza', 'Mwenge')).toBeGreaterThan(points('Kinondoni', 'Sinza'));
  expect(points('Sinza', 'Kariakoo')).toBe(0);
  expect(points('Dar es Salaam', 'Sinza')).toBe(points('Dar es Salaam', 'Dar es Salaam'));
  expect(points('Sinza', 'Chanika')).toBeLessThan(points('Sinza', 'Kariakoo'));
  expect(points('Sinza', 'Mwanza')).toBe(CONTRADICTION);
  expect(points('Sinza kwa Zulufuna', 'Sinza kwa Zulufuna')).toBeGreaterThan(points('Sinza', 'Sinza'));
});

test('two identifiers count more for a match if they agree completely than if only their ends agree', () => {
  const ids = (lost: string, found: string): number =>
    compareIdentifiers(readIdentifiers(lost).identifiers, readIdentifiers(found).identifiers).points;
  expectInOrder([
    ['the whole number', ids('AC1234567', 'AC1234567')],
    ['its end', ids('AC1234567', 'ending 4567')],
    NOTHING,
    ['another', ids('AC1234567', 'AC7654321')],
  ]);
  expect(ids('AC1234567', 'AC1234568')).toBe(ids('AC1234567', 'AC1234567'));
  expect(ids('AC12345', 'AC12346')).toBe(CONTRADICTION);
  expect(ids('T123ABC', 'T124ABC')).toBeLessThan(2 * CONTRADICTION);
  expect(ids('T123ABC', 'AC1234567')).toBe(0);
});

test('equal sums of money, or equal sizes, count for a match; unequal sums, or unequal sizes, count against a match', () => {
  expectInOrder([
    ['one sum', compareAmounts([5000, 700], [700], false).points],
    NOTHING,
    ['another sum', compareAmounts([5000], [700], false).points],
    ['another sum of money', compareAmounts([5000], [700], true).points],
  ]);
  const size = (value: number): Measure[] => [{ dimension: 'size', value, isRough: false }];
  expectInOrder([
    ['one size', compareMeasures(size(42), size(42)).points],
    NOTHING,
    ['another size', compareMeasures(size(42), size(40)).points],
  ]);
  expect(compareMeasures(size(42), [{ dimension: 'gigabytes', value: 42, isRough: false }]).points).toBe(0);
});

test('the nearer the day of the loss and the day of the find are, the more they count for a match', () => {
  const day = (first: number, last = first) => ({ first, last });
  const days = (lost: number, found: number): number => compareDays(day(lost), day(found)).points;
  expect([days(10, 10), days(10, 11), days(10, 9)].map((points) => points > 0)).toEqual([true, true, true]);
  expect([days(10, 12), days(10, 8), days(10, 7)]).toEqual([0, 0, CONTRADICTION]);
  expect(compareDays(day(3, 10), day(10)).points).toBe(0);
});

test('each part that both things have counts for a match, or against a match if the colours of the part differ', () => {
  const parts = (lost: string, found: string): number =>
    compareParts(read(`Begi | lina ${lost}`).parts, read(`Begi | lina ${found}`).parts).points;
  expectInOrder([
    ['two parts', parts('funguo na mwavuli', 'funguo na mwavuli')],
    ['one part', parts('funguo', 'funguo')],
    NOTHING,
    ['of another colour', parts('kitabu chekundu', 'kitabu cheusi')],
  ]);
  expect(parts('kitabu chekundu', 'kitabu chekundu')).toBeGreaterThan(parts('kitabu', 'kitabu'));
  expect(parts('mwavuli', 'funguo')).toBe(0);
});

test('each shared word that the lexicon lacks counts for a match, up to three words', () => {
  const words = (count: number): Evidence => {
    const rare = ['zulufuna', 'abekodi', 'lamitoru'].slice(0, count);
    return compareWords(rare, rare);
  };
  expectInOrder([
    ['two words', words(2).points],
    ['one word', words(1).points],
    ['no word', words(0).points],
  ]);
  expect(words(4).points).toBe(words(3).points);
  expect(words(4).reasons).toEqual(words(2).reasons);
});

test('the same contents of two bags count more for a match than different contents', () => {
  const bag = closestHeads(read('Begi').heads, read('Begi').heads);
  const inside = (text: string) => read(`Begi | lina ${text}`).parts;
  expectInOrder([
    ['the same contents', compareContents(bag, inside('nguo'), inside('nguo')).points],
    ['others', compareContents(bag, inside('nguo'), inside('nyundo')).points],
    AGAINST,
  ]);
  expect(compareContents(null, inside('nguo'), inside('nyundo')).points).toBe(0);
  expect(compareContents(bag, [], inside('nyundo')).points).toBe(0);
});

test('different firms named on two things count against a match, and more so if the things bear the owner’s name, such as ID cards', () => {
  const issuers = (lost: string, found: string, isNamed = false): number =>
    compareIssuers([lost], [found], isNamed).points;
  expectInOrder([
    ['one firm', issuers('mkombozi', 'mkombozi')],
    NOTHING,
    ['another', issuers('mkombozi', 'baraka')],
    ['another, and it is named', issuers('mkombozi', 'baraka', true)],
  ]);
  expect(issuers('mkombozi', 'baraka')).toBeGreaterThan(CONTRADICTION / 2);
});

const NOTHING_READ = read('');

function having(said: Partial<PostReading>): PostReading {
  return { ...NOTHING_READ, ...said };
}

function saying(count: number): PostReading {
  return having({ details: Array.from({ length: count }, (_, at) => [`word w${at}`]) });
}

const AGREED = { points: 0.1, reasons: [] };

test('sharing no detail counts against a match if each of the two posts has at least four details', () => {
  expect(compareThin(saying(4), saying(4), {}).points).toBeLessThan(0);
  expect([compareThin(saying(3), saying(4), {}), compareThin(saying(4), saying(3), {})]).toEqual([
    NO_EVIDENCE,
    NO_EVIDENCE,
  ]);
  expect(compareThin(saying(4), saying(4), { owner: { points: 0, reasons: [] } }).points).toBeLessThan(0);
});

test.each<Aspect>([
  'owner',
  'number',
  'writing',
  'issuer',
  'values',
  'measures',
  'words',
  'count',
  'group',
  'amount',
  'said',
  'denied',
  'day',
])(
  'if two detailed posts agree in the aspect “%s”, sharing no other detail does not count against a match',
  (aspect) => {
    expect(compareThin(saying(4), saying(4), { [aspect]: AGREED })).toEqual(NO_EVIDENCE);
  },
);

test.each<Aspect>(['thing', 'colour', 'make', 'place', 'parts', 'look'])(
  'two detailed posts that agree only in the aspect “%s” get points against a match: such agreement is often chance',
  (aspect) => {
    expect(compareThin(saying(4), saying(4), { [aspect]: AGREED }).points).toBeLessThan(0);
  },
);

test('a make that the lexicon lacks contradicts another make if each post names only one make', () => {
  const compare = (lost: Partial<PostReading>, found: Partial<PostReading>): number => {
    const { points } = compareMakers(having(lost), having(found));
    expect(compareMakers(having(found), having(lost)).points).toBe(points);
    return points;
  };
  expect(compare({ makers: ['zebumi'] }, { makers: ['kadiro'] })).toBeLessThan(0);
  expect(compare({ makers: ['zebumi'] }, { makers: ['zebumi', 'kadiro'] })).toBe(0);
  expect(compare({ makers: ['zebumi'] }, { makers: ['kadiro'], text: ['zebumi'] })).toBe(0);
  expect(compare({ makers: ['zebumi'] }, {})).toBe(0);
  expect(compare({ makers: ['zebumi'] }, { heads: read('Friji ya Samsung').heads })).toBeLessThan(0);
  expect(compare({ heads: read('Friji ya LG').heads }, { heads: read('Friji ya Samsung').heads })).toBe(0);
  expect(compare({ makes: ['chelsea'] }, { makes: ['arsenal'] })).toBeLessThan(0);
  expect(compare({ makes: ['chelsea'] }, { makes: ['chelsea'] })).toBe(0);
});

function feature(said: Partial<Feature>): Feature {
  const nothing = { colours: new Set<string>(), attributes: new Set<string>(), names: [], isThing: false, count: null };
  return { keys: ['thing strap'], ...nothing, ...said } as Feature;
}

test('the colours of a part that both things have, such as a strap, count for a match if equal and against a match if different', () => {
  const compare = (lost: Partial<Feature>, found: Partial<Feature>) =>
    compareFeatures([feature(lost)], [feature(found)]).points;
  const red = { colours: new Set(['red']) };
  const blue = { colours: new Set(['blue']) };
  expectInOrder([
    ['the same colour and name', compare({ ...red, names: ['chelsea'] }, { ...red, names: ['chelsea'] })],
    ['the same colour', compare(red, red)],
    ['the same name', compare({ names: ['chelsea'] }, { names: ['chelsea'] })],
    NOTHING,
    ['another name', compare({ names: ['chelsea'] }, { names: ['arsenal'] })],
    ['another colour', compare(red, blue)],
    ['another colour and name', compare({ ...red, names: ['chelsea'] }, { ...blue, names: ['arsenal'] })],
  ]);
  expect(compare({ names: ['chelsea'] }, {})).toBe(0);
  expect(compare({ ...red, isThing: true }, { ...blue, isThing: true })).toBe(0);
  expect(compare(red, { ...blue, keys: ['thing lid'] })).toBe(0);
});

test('if both things have several red straps, each pair of red straps counts for a match, up to three pairs', () => {
  const reds = (count: number) => Array.from({ length: count }, () => feature({ colours: new Set(['red']) }));
  expect(compareFeatures(reds(2), reds(1))).toEqual(compareFeatures(reds(1), reds(1)));
  expect(compareFeatures(reds(2), reds(2)).points).toBe(2 * compareFeatures(reds(1), reds(1)).points);
  expect(compareFeatures(reds(4), reds(4)).points).toBe(compareFeatures(reds(3), reds(3)).points);
});

test('two pairs of opposite attributes such as long and short count more against a match than one pair; a third adds nothing', () => {
  const answering = (...attributes: string[]) => having({ details: attributes.map((id) => [`attribute ${id}`]) });
  const one = compareOpposites(answering('long'), answering('short')).points;
  const two = compareOpposites(answering('long', 'big'), answering('short', 'small')).points;
  const three = compareOpposites(answering('long', 'big', 'new'), answering('short', 'small', 'old')).points;
  expect(one).toBeLessThan(0);
  expect(two).toBeLessThan(one);
  expect(three).toBe(two);
  expect(compareOpposites(answering('long'), answering('long', 'short')).points).toBeCloseTo(0);
  expect(compareOpposites(answering('long'), answering()).points).toBeCloseTo(0);
});

test('a school named in both posts is shown as a match reason, and different schools count against the match', () => {
  const same = compareIssuers(['kadiro'], ['mary', 'kadiro'], false);
  expect(same.points).toBeGreaterThan(0);
  expect(same.reasons).toEqual([{ kind: 'detail', text: 'Kadiro' }]);
  expect(compareIssuers(['jangwani girls'], ['Jangwani Girls, Ilala'], false).points).toBe(same.points);
  expect(compareIssuers(['Jangwani Girls, Ilala'], ['Jangwani Girls, Ilala'], false).reasons).toEqual([
    { kind: 'detail', text: 'Jangwani Girls' },
  ]);
  expect(compareIssuers(['kadiro'], ['mary'], false).points).toBeLessThan(0);
  expect(compareIssuers(['kadiro'], ['mary'], false).points).toBeGreaterThan(CONTRADICTION);
  expect(compareIssuers(['kadiro'], ['mary'], true).points).toBe(CONTRADICTION);
  expect([compareIssuers([], ['mary'], true), compareIssuers(['mary'], [], true)]).toEqual([NO_EVIDENCE, NO_EVIDENCE]);
});

test('shared details count for a match, and at most two of them are shown as reasons', () => {
  expect(compareConcepts(['g:knot'], ['g:strap'])).toEqual(NO_EVIDENCE);
  const { points, reasons } = compareConcepts(['g:knot'], ['g:strap', 'g:knot']);
  expect(points).toBeGreaterThan(0);
  expect(reasons).toEqual([{ kind: 'detail', key: 'concept g:knot' }]);
  const many = ['g:knot', 'g:mark', 'g:tear', "g:owner's mark"];
  expect(compareConcepts(many, many).points).toBeGreaterThanOrEqual(points);
  expect(compareConcepts(many, many).reasons).toHaveLength(2);
});

test('the better the colours of two things agree, the more they count for a match', () => {
  const points = (lost: string[], found: string[], isAnimal = false): number =>
    compareColours(new Set(lost), new Set(found), isAnimal).points;
  expectInOrder([
    ['the same', points(['black'], ['black'])],
    ['one names a further one', points(['black', 'white'], ['black'])],
    ['near', points(['black'], ['dark-blue'])],
    NOTHING,
    ['each names a further one', points(['black', 'white'], ['black', 'red'])],
    ['another', points(['black'], ['white'])],
  ]);
  expect(points(['black'], ['white'])).toBeLessThan(-1);
  expect(points(['dark-blue'], ['blue'])).toBe(points(['blue'], ['blue']));
  expect(points(['black'], ['dark-blue'])).toBeLessThan(points(['black'], ['black']) / 2);
  expect(points(['black', 'dark-blue'], ['black'])).toBe(points(['black'], ['black']));
  expect([points([], ['black']), points(['black'], [])]).toEqual([0, 0]);
  expect(points(['black', 'white'], ['black'], true)).toBe(0);
});

test('two posts match best if they name the same thing, less if they name similar things, least if one term includes the other', () => {
  const points = (lost: string, found: string): number => {
    const pair = closestHeads(read(lost).heads, read(found).heads);
    return pair === null ? Number.NaN : compareKinds(pair).points;
  };
  expectInOrder([
    ['the same, which few lose', points('Mwavuli', 'Umbrella')],
    ['the same, which many lose', points('Begi', 'Bag')],
    ['near', points('Pochi', 'Wallet')],
    ['wider', points('Kitambulisho', 'NIDA')],
    NOTHING,
  ]);
});

test('the better the make, model and quantity of two things agree, the more they count for a match', () => {
  const points = (lost: string, found: string): number => {
    const pair = closestHeads(read(lost).heads, read(found).heads);
    if (pair === null) return Number.NaN;
    const { make, count } = compareQualities(pair, [], []);
    return make.points + count.points;
  };
  const spark = 'Simu Tecno Spark 8';
  expectInOrder([
    ['series and number', points(spark, spark)],
    ['series', points(spark, 'Simu Tecno Spark')],
    ['make', points(spark, 'Simu Tecno')],
    NOTHING,
    ['another make', points(spark, 'Simu Itel')],
  ]);
  expect(points(spark, 'Simu Tecno Spark 9')).toBeLessThan(-1);
  expect(points(spark, 'Simu Itel')).toBe(CONTRADICTION);
  expect(points('Simu', 'Simu Itel')).toBe(0);
  expect(points('Mbuzi watatu', 'Three goats')).toBeGreaterThan(0);
  expect(points('Mbuzi mmoja', 'One goat')).toBe(0);
  expect(points('Mbuzi wawili', 'Three goats')).toBe(CONTRADICTION);
  expectInOrder([NOTHING, ['two of the three goats', points('Mbuzi watatu', 'Two goats')], AGAINST]);
  expectInOrder([NOTHING, ['more chairs', points('Viti viwili', 'Three chairs')], AGAINST]);
});

test('each shared attribute, up to two, raises the score of a match, and opposite attributes lower the score', () => {
  const points = (lost: string[], found: string[]): number => compareAttributes(new Set(lost), new Set(found)).points;
  expectInOrder([
    ['two shared', points(['leather', 'big'], ['leather', 'big'])],
    ['one shared', points(['leather'], ['leather'])],
    NOTHING,
    ['another size', points(['big'], ['small'])],
    ['another material', points(['leather'], ['plastic'])],
    ['of the other sex', points(['male'], ['female'])],
  ]);
  expect(points(['leather', 'big', 'male'], ['leather', 'big', 'male'])).toBe(
    points(['leather', 'big'], ['leather', 'big']),
  );
  expect(points(['leather'], ['big'])).toBe(0);
});

test('for things such as tyres, the same type of vehicle or animal counts for a match, and a different type against', () => {
  const points = (lost: string, found: string): number => {
    const [left, right] = [read(lost), read(found)];
    const pair = closestHeads(left.heads, right.heads);
    return pair === null ? Number.NaN : compareBelonging(pair, mentionsOf(left), mentionsOf(right)).points;
  };
  expectInOrder([
    ['the same', points('Mkanda wa mbuzi', 'Belt of a goat')],
    NOTHING,
    ['one says nothing', points('Mkanda wa mbuzi', 'Belt')],
    ['another', points('Tairi la baiskeli', 'Tyre of a car')],
  ]);
  expect(points('Mkanda wa mbuzi', 'Belt | my goat had it')).toBe(0);
  expect(points('Tyre of a car', 'Tyre')).toBe(0);
});

type Weighed = [what: string, points: number];

const NOTHING: Weighed = ['nothing', 0];
const AGAINST: Weighed = ['a contradiction', CONTRADICTION];

/**
 * Expects falling weights without ties, whatever their exact values: from the strongest evidence for a match to the
 * strongest evidence against a match.
 */
function expectInOrder(list: Weighed[]): void {
  const sorted = [...list].sort(([, a], [, b]) => b - a);
  expect(sorted.map(([what]) => what)).toEqual(list.map(([what]) => what));
  expect(new Set(list.map(([, points]) => points)).size).toBe(list.length);
}
