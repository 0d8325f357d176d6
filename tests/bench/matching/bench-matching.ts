import { performance } from 'node:perf_hooks';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';
import { measureBm25, measureSubstring } from './baselines.ts';
import { measureMatching, rates } from './measure-matching.ts';
import { readFixtures } from './read-fixtures.ts';

const DIRECTIONS = ['sw-sw', 'sw-en', 'en-sw', 'en-en'];

const isVerbose = process.argv.includes('--verbose');
const path = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const pairs = readFixtures(path ?? new URL('./fixtures.tsv', import.meta.url));
const started = performance.now();
readPost({ ...(pairs[0]?.lost ?? fail()), title: 'simu' });
const loadMs = performance.now() - started;

const figures = measureMatching(pairs);
const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`.padStart(8);
const row = (name: string, ...rates: number[]): void => console.log(name.padEnd(28), ...rates.map(percent));

const same = pairs.filter((pair) => pair.isSame).length;
console.log(`${same} true pairs, ${pairs.length - same} look-alikes\n`);
console.log(''.padEnd(28), '  recall', ' precis.', '1st place');
for (const direction of DIRECTIONS) {
  const judged = figures.judged.filter((one) => one.pair.direction === direction);
  if (judged.length === 0) continue;
  const first = measureMatching(pairs.filter((pair) => pair.direction === direction)).recallAtFirst;
  row(direction, rates(judged).recall, rates(judged).precision, first);
}
row('all', figures.recall, figures.precision, figures.recallAtFirst);
for (const batch of new Set(pairs.map((pair) => pair.id.slice(1, 2)))) {
  const judged = figures.judged.filter((one) => one.pair.id.slice(1, 2) === batch);
  if (path === undefined) row(`batch ${batch}`, rates(judged).recall, rates(judged).precision);
}
for (const baseline of [measureSubstring(pairs), measureBm25(pairs)]) {
  row(baseline.name, baseline.recall, baseline.precision, baseline.recallAtFirst);
}
console.log(`\ntrue pairs that share an index term, both ways: ${percent(figures.candidateRecall)}`);
console.log(`matches between unrelated posts: ${figures.crossMatches.length} of ${figures.crossPairs}`);
console.log(`lexicon read in ${loadMs.toFixed(1)} ms; ${timings()}`);

if (isVerbose) {
  for (const one of figures.judged.filter((judged) => judged.isMatch !== judged.pair.isSame)) {
    console.log(`\n${one.isMatch ? 'WRONGLY TOLD' : 'MISSED'} ${one.pair.id} ${one.score.toFixed(2)} (${one.why})`);
    console.log(`  ${showPost(one.pair.lost)}\n  ${showPost(one.pair.found)}`);
  }
  for (const one of figures.judged.filter((judged) => judged.pair.isSame && !judged.sharesTerm)) {
    console.log(`NO SHARED TERM ${one.pair.id}`);
  }
  for (const cross of figures.crossMatches) {
    console.log(`CROSS ${cross.lost} ${cross.found} ${cross.score.toFixed(2)} (${cross.why})`);
  }
}

function showPost(post: (typeof pairs)[number]['lost']): string {
  return [post.title, post.description, post.location, `${post.owner_first_name} ${post.owner_last_name}`].join(' | ');
}

function timings(): string {
  const before = performance.now();
  const lost = pairs.map((pair) => readPost(pair.lost));
  const found = pairs.map((pair) => readPost(pair.found));
  const readMs = (performance.now() - before) / (2 * pairs.length);
  const judging = performance.now();
  for (const left of lost.slice(0, 20)) for (const right of found) judgePair(left, right);
  const judgeMs = (performance.now() - judging) / (Math.min(lost.length, 20) * found.length);
  return `a post in ${readMs.toFixed(3)} ms, 100 candidates judged in ${(100 * judgeMs).toFixed(2)} ms`;
}

function fail(): never {
  throw new Error('The fixtures are empty.');
}
