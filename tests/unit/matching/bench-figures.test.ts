import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addUnjudged, crossPrecision } from '#tests/bench/matching/cross-judgements.ts';
import { FoundIndex, figuresOf, judgeSet } from '#tests/bench/matching/measure-matching.ts';
import { rateOf } from '#tests/bench/matching/rates.ts';
import { readSet } from '#tests/bench/matching/read-fixtures.ts';
import { follows, wordsOf } from '#tests/bench/matching/true-reasons.ts';
import { lookupTerms } from '#worker/matching/index-terms.ts';
import { makePost, read } from './make-post.ts';

const PAIR = 'a1\tSimu ya Tecno nyeusi | | Kariakoo |\tBlack Tecno phone | | Kariakoo |';
const LOOK_ALIKE = 'a2\tMbuzi mweupe | | Mbeya |\tBlack goat | | Mbeya |';

function fileOf(name: string, lines: string[]): string {
  const path = join(tmpdir(), `patikana-${process.pid}-${name}.tsv`);
  writeFileSync(path, lines.join('\n'));
  return path;
}

test('each rate that the matching benchmark reports has a Wilson confidence interval', () => {
  const { rate, low, high } = rateOf(8, 10);
  expect([rate, low, high].map((share) => share.toFixed(3))).toEqual(['0.800', '0.490', '0.943']);
  expect(rateOf(0, 0)).toMatchObject({ rate: 1, low: 0, high: 1 });
});

test('true matches are the pairs in the first of the benchmark’s two files, or in a single file those whose id begins with “s”', () => {
  const two = readSet([fileOf('pairs', [PAIR]), fileOf('look-alikes', [LOOK_ALIKE])]);
  expect(two.map(({ id, isSame }) => [id, isSame])).toEqual([
    ['a1', true],
    ['a2', false],
  ]);
  const one = readSet([fileOf('both', [PAIR.replace('a1', 's1'), LOOK_ALIKE.replace('a2', 'd1')])]);
  expect(one.map(({ id, isSame }) => [id, isSame])).toEqual([
    ['s1', true],
    ['d1', false],
  ]);
});

test('the matching benchmark counts listed matches and matches with a notice separately', () => {
  const measured = judgeSet(readSet([fileOf('pairs', [PAIR]), fileOf('look-alikes', [LOOK_ALIKE])]));
  const { listed, told, sharedTerm } = figuresOf(measured.judged);
  expect(measured.competition.openPosts).toBe(2);
  expect(measured.competition.shareOf('colour black')).toBeNull();
  expect([listed.recall.hits, listed.firstPlace.hits, sharedTerm.hits]).toEqual([1, 1, 1]);
  expect([listed.lookAlikes.hits, told.lookAlikes.of]).toEqual([0, 1]);
});

test('the benchmark returns the share of posts that contain a value such as “black”, or null if too few posts contain it', () => {
  const index = new FoundIndex();
  for (const colour of ['Black', 'Black', 'Black', 'Red']) index.add(read(`${colour} phone | | Kariakoo |`));
  const { openPosts, shareOf } = index.competition();
  expect([openPosts, shareOf('colour black'), shareOf('colour red')]).toEqual([4, 0.75, null]);
});

test('the benchmark’s match candidates share an index term with the post; those with the most shared terms come first', () => {
  const index = new FoundIndex();
  for (const post of ['Mbuzi | | Mbeya |', 'Black phone | | Kariakoo |', 'Black Tecno phone | | Kariakoo |'])
    index.add(read(post));
  expect(index.candidatesOf(lookupTerms(read('Black Tecno phone | | Kariakoo |')))).toEqual([2, 1]);
});

test('the benchmark computes precision only from matches that a person judged “same” or “different”, and requests no second judgement', () => {
  const [pair] = judgeSet(readSet([fileOf('pairs', [PAIR])])).judged;
  if (pair === undefined) throw new Error('The file has one pair.');
  const match = { lost: pair, found: { ...pair, id: 'b1' }, judgement: pair.judgement };
  const judged = (verdict: 'same' | 'different' | 'cannot say' | '?') => new Map([['a1\tb1', verdict]]);
  expect(crossPrecision(judged('same'), [match])).toMatchObject({ hits: 1, of: 1 });
  expect(crossPrecision(judged('different'), [match])).toMatchObject({ hits: 0, of: 1 });
  expect(crossPrecision(judged('cannot say'), [match])).toMatchObject({ of: 0 });
  expect(crossPrecision(new Map(), [match])).toMatchObject({ of: 0 });
  expect(addUnjudged(judged('same'), [match])).toEqual([]);
});

test('the benchmark accepts a match reason for a post only if words of this post, in either language, support the reason', () => {
  const said = wordsOf(makePost('Simu ya Tecno nyeusi | jina Hassani Mushi, TSh 20,000 | Tip Top |'));
  const both = (kind: 'item' | 'colour' | 'brand' | 'name' | 'place' | 'detail', en: string, sw = en) =>
    follows({ kind, en, sw }, said);
  expect(both('item', 'phone', 'simu')).toBe(true);
  expect(both('item', 'laptop')).toBe(false);
  expect(both('colour', 'black', 'nyeusi')).toBe(true);
  expect(both('colour', 'red', 'nyekundu')).toBe(false);
  expect(both('brand', 'Tecno')).toBe(true);
  expect(both('name', 'Hassan Mushi')).toBe(true);
  expect(both('name', 'Hassan Juma')).toBe(false);
  expect(both('place', 'Manzese')).toBe(true);
  expect(both('place', 'Mwenge')).toBe(false);
  expect(both('detail', 'TSh 20,000')).toBe(true);
});
