import { expect, test } from 'vitest';
import { measureMatching } from './measure-matching.ts';
import { readFixtures } from './read-fixtures.ts';

const RECALL_FLOOR = 0.98;
const PRECISION_FLOOR = 0.985;
const FIRST_PLACE_FLOOR = 0.96;
const CANDIDATE_FLOOR = 0.99;
/** Posts that have nothing to do with each other must hardly ever meet. */
const CROSS_MATCH_CEILING = 0.0005;

test('the matching keeps its floor on the fixtures', () => {
  const pairs = readFixtures(new URL('./fixtures.tsv', import.meta.url));
  const figures = measureMatching(pairs);
  expect(figures.recall).toBeGreaterThanOrEqual(RECALL_FLOOR);
  expect(figures.precision).toBeGreaterThanOrEqual(PRECISION_FLOOR);
  expect(figures.recallAtFirst).toBeGreaterThanOrEqual(FIRST_PLACE_FLOOR);
  expect(figures.candidateRecall).toBeGreaterThanOrEqual(CANDIDATE_FLOOR);
  expect(figures.crossMatches.length / figures.crossPairs).toBeLessThan(CROSS_MATCH_CEILING);
  // As long as it takes: how fast the matching is, the bench says.
}, 600_000);
