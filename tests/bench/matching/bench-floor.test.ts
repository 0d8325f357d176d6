import { beforeAll, expect, test } from 'vitest';
import { crossPrecision, readCrossJudgements, verdictOf } from './cross-judgements.ts';
import { type Figures, figuresOf, judgeSet, type Measured } from './measure-matching.ts';
import { readFixtures, readSet } from './read-fixtures.ts';
import { findUntrueReasons } from './true-reasons.ts';

const LISTED_RECALL_FLOOR = 0.98;
const FIRST_PLACE_FLOOR = 0.93;
const TOLD_RECALL_FLOOR = 0.86;
const TOLD_PRECISION_FLOOR = 0.985;
const CANDIDATE_FLOOR = 0.97;
/**
 * The lowest accepted share of correct notices about a match between posts of different fixture pairs. The share omits
 * notices with the verdict `cannot say` in cross-judgements.tsv.
 */
const CROSS_PRECISION_FLOOR = 0.8;

/** The lowest accepted figures for `strangers.tsv`. Its authors did not know the matching rules (docs/matching.md). */
const STRANGERS = { listed: 0.95, firstPlace: 0.94, told: 0.79, precision: 0.945 };

let measured: Measured;
let figures: Figures;

// The timeout is long, because this file checks the quality of the matching. Another benchmark checks the speed.
beforeAll(() => {
  measured = judgeSet(readSet([]));
  figures = figuresOf(measured.judged);
}, 600_000);

test('enough fixture pairs of posts about one thing share an index term, are listed as matches, and rank first in the list', () => {
  expect(figures.listed.recall.rate).toBeGreaterThanOrEqual(LISTED_RECALL_FLOOR);
  expect(figures.listed.firstPlace.rate).toBeGreaterThanOrEqual(FIRST_PLACE_FLOOR);
  expect(figures.sharedTerm.rate).toBeGreaterThanOrEqual(CANDIDATE_FLOOR);
});

test('match notices about the posts of the fixtures have at least the accepted recall and precision', () => {
  expect(figures.told.recall.rate).toBeGreaterThanOrEqual(TOLD_RECALL_FLOOR);
  expect(figures.told.precision.rate).toBeGreaterThanOrEqual(TOLD_PRECISION_FLOOR);
});

test('for posts whose authors did not know the matching rules (strangers.tsv), matching reaches the minimum recall, rank and precision', () => {
  const posts = readFixtures(new URL('./strangers.tsv', import.meta.url));
  const rounds = Map.groupBy(posts, ({ id }) => id.slice(1, id.indexOf('-')));
  const { listed, told } = figuresOf([...rounds.values()].flatMap((round) => judgeSet(round).judged));
  expect(listed.recall.rate).toBeGreaterThanOrEqual(STRANGERS.listed);
  expect(listed.firstPlace.rate).toBeGreaterThanOrEqual(STRANGERS.firstPlace);
  expect(told.recall.rate).toBeGreaterThanOrEqual(STRANGERS.told);
  expect(told.precision.rate).toBeGreaterThanOrEqual(STRANGERS.precision);
}, 600_000);

test('a reviewer has judged every notice about a match between posts of different fixture pairs, and enough notices are correct', () => {
  const judgements = readCrossJudgements();
  const unjudged = measured.crossMatches.filter((match) => verdictOf(judgements, match) === '?');
  // `npm run bench -- cross` shows the unjudged notices and adds them to cross-judgements.tsv.
  expect(unjudged.map(({ lost, found }) => `${lost.id} ${found.id}`)).toEqual([]);
  expect(crossPrecision(judgements, measured.crossMatches).rate).toBeGreaterThanOrEqual(CROSS_PRECISION_FLOOR);
});

test('every match reason that a user sees follows from the words of both posts', () => {
  const { untrue } = findUntrueReasons(measured.judged);
  // `npm run bench -- reasons` shows the posts that have an untrue reason.
  expect(untrue.map(({ pair, reason }) => `${pair.id} ${reason.kind}: ${reason.en}`)).toEqual([]);
});
