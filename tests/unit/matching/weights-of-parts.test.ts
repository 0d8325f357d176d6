import { expect, test } from 'vitest';
import { compareConcepts } from '#worker/matching/judging/compare-concepts.ts';
import { compareFeatures } from '#worker/matching/judging/compare-features.ts';
import { compareIssuers } from '#worker/matching/judging/compare-issuers.ts';
import { compareMakers } from '#worker/matching/judging/compare-makers.ts';
import { compareOpposites } from '#worker/matching/judging/compare-opposites.ts';
import { compareThin } from '#worker/matching/judging/compare-thin.ts';
import { type Aspect, CONTRADICTION, NO_EVIDENCE } from '#worker/matching/judging/evidence.ts';
import type { Feature } from '#worker/matching/reading/read-features.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { expectInOrder, NOTHING } from './expect-in-order.ts';
import { read } from './make-post.ts';

const NOTHING_READ = read('');

function having(said: Partial<PostReading>): PostReading {
  return { ...NOTHING_READ, ...said };
}

function saying(count: number): PostReading {
  return having({ details: Array.from({ length: count }, (_, at) => [`word w${at}`]) });
}

const AGREED = { points: 0.1, reasons: [] };

test('two who both say four things and agree in nothing are hardly of one thing', () => {
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
])('%s is what hardly a second thing has', (aspect) => {
  expect(compareThin(saying(4), saying(4), { [aspect]: AGREED })).toEqual(NO_EVIDENCE);
});

test.each<Aspect>(['thing', 'colour', 'make', 'place', 'parts', 'look'])('%s is what many have', (aspect) => {
  expect(compareThin(saying(4), saying(4), { [aspect]: AGREED }).points).toBeLessThan(0);
});

test('a make that no list knows is another one where the other side names one, and says it nowhere', () => {
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

test('what is said of a part says less than of the thing, and never more than so much', () => {
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

test('of two parts that one side names each is compared with one of the other’s', () => {
  const reds = (count: number) => Array.from({ length: count }, () => feature({ colours: new Set(['red']) }));
  expect(compareFeatures(reds(2), reds(1))).toEqual(compareFeatures(reds(1), reds(1)));
  expect(compareFeatures(reds(2), reds(2)).points).toBe(2 * compareFeatures(reds(1), reds(1)).points);
  expect(compareFeatures(reds(4), reds(4)).points).toBe(compareFeatures(reds(3), reds(3)).points);
});

test('answers that exclude each other speak against the two, up to a bound', () => {
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

test('a school that both name speaks for them, another one against them, the more where it names the thing', () => {
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

test('what both mention says the more the rarer such words are, and two of them are told', () => {
  expect(compareConcepts(['g:knot'], ['g:strap'])).toEqual(NO_EVIDENCE);
  const { points, reasons } = compareConcepts(['g:knot'], ['g:strap', 'g:knot']);
  expect(points).toBeGreaterThan(0);
  expect(reasons).toEqual([{ kind: 'detail', key: 'concept g:knot' }]);
  const many = ['g:knot', 'g:mark', 'g:tear', "g:owner's mark"];
  expect(compareConcepts(many, many).points).toBeGreaterThanOrEqual(points);
  expect(compareConcepts(many, many).reasons).toHaveLength(2);
});
