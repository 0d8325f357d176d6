import { beforeAll, expect, test } from 'vitest';
import { type Figures, figuresOf, judgeSet, type Measured } from './measure-matching.ts';
import { readSet } from './read-fixtures.ts';

const LISTED_RECALL_FLOOR = 0.98;
const FIRST_PLACE_FLOOR = 0.93;
const TOLD_RECALL_FLOOR = 0.93;
const TOLD_PRECISION_FLOOR = 0.985;
const CANDIDATE_FLOOR = 0.97;

let measured: Measured;
let figures: Figures;

// As long as it takes: how fast the matching is, the bench says.
beforeAll(() => {
  measured = judgeSet(readSet([]));
  figures = figuresOf(measured.judged);
}, 600_000);

test('what is listed keeps its floor on the fixtures', () => {
  expect(figures.listed.recall.rate).toBeGreaterThanOrEqual(LISTED_RECALL_FLOOR);
  expect(figures.listed.firstPlace.rate).toBeGreaterThanOrEqual(FIRST_PLACE_FLOOR);
  expect(figures.sharedTerm.rate).toBeGreaterThanOrEqual(CANDIDATE_FLOOR);
});

test('what people are told of keeps its floor on the fixtures', () => {
  expect(figures.told.recall.rate).toBeGreaterThanOrEqual(TOLD_RECALL_FLOOR);
  expect(figures.told.precision.rate).toBeGreaterThanOrEqual(TOLD_PRECISION_FLOOR);
});
