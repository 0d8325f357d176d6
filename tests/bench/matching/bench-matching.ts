import { performance } from 'node:perf_hooks';
import { judgePair, weighPair } from '#worker/matching/judging/match-rules.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import { readPost } from '#worker/matching/reading/read-post.ts';
import { measureBm25, measureSubstring } from './baselines.ts';
import { measureCoverage } from './coverage.ts';
import { figuresOf, type JudgedPair, judgeSet, type Measured } from './measure-matching.ts';
import { type FixturePair, readSet, showPost } from './read-fixtures.ts';
import { type Report, showReport } from './show-figures.ts';

/** The number of posts whose reading and judging is timed. */
const TIMED = 100;
const UNKNOWN_SHOWN = 60;

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const pairs = readSet(paths);
const measured = judgeSet(pairs);
const report = reportOf(pairs, measured);
if (options.includes('--json')) console.log(JSON.stringify(report, null, 2));
else console.log(showReport(report));
if (options.includes('--verbose')) for (const line of wrongOnes(measured)) console.error(line);

function reportOf(set: FixturePair[], { judged, crossMatches }: Measured): Report {
  const directions = [...new Set(set.map(({ direction }) => direction))].filter((direction) => direction !== '');
  return {
    pairs: set.filter(({ isSame }) => isSame).length,
    lookAlikes: set.filter(({ isSame }) => !isSame).length,
    figures: figuresOf(judged),
    coverage: measureCoverage(set),
    baselines: [measureSubstring(set), measureBm25(set)],
    crossMatches: crossMatches.length,
    byDirection: Object.fromEntries(
      directions.map((direction) => [direction, figuresOf(judged.filter((pair) => pair.direction === direction))]),
    ),
    ...timings(judged.slice(0, TIMED)),
  };
}

function timings(judged: JudgedPair[]): { readMs: number; judgeMs: number } {
  const reading = performance.now();
  for (const { lost, found } of judged) for (const post of [lost, found]) readPost(post);
  const judging = performance.now();
  for (const { readings } of judged) for (const other of judged) judgePair(readings.lost, other.readings.found);
  return {
    readMs: (judging - reading) / (2 * judged.length),
    judgeMs: (performance.now() - judging) / judged.length ** 2,
  };
}

function wrongOnes({ judged, crossMatches }: Measured): string[] {
  return [
    ...judged.flatMap((pair) => {
      const mistake = mistakeOf(pair);
      return mistake === null ? [] : [explain(mistake, pair)];
    }),
    ...judged.filter(({ isSame, sharesTerm }) => isSame && !sharesTerm).map(({ id }) => `NO SHARED TERM ${id}`),
    ...crossMatches.map(({ lost, found, judgement }) => `CROSS ${lost.id} ${found.id} ${judgement.score.toFixed(2)}`),
    `UNKNOWN WORDS ${measureCoverage(pairs).unknown.slice(0, UNKNOWN_SHOWN).join(' ')}`,
  ];
}

function mistakeOf({ isSame, judgement, isFirst }: JudgedPair): string | null {
  if (!isSame) return judgement.confidence === 'sure' ? 'WRONGLY TOLD' : null;
  if (judgement.confidence === null) return 'NOT LISTED';
  if (judgement.confidence === 'possible') return 'NOT TOLD';
  return isFirst ? null : 'NOT FIRST';
}

function explain(mistake: string, { id, lost, found, readings, judgement }: JudgedPair): string {
  const aspects = Object.entries(weighPair(readings.lost, readings.found))
    .filter(([, { points }]) => points !== 0)
    .map(([aspect, { points, reasons }]) => {
      const shown = reasons
        .flatMap(wordReason)
        .map(({ en }) => en)
        .join(', ');
      return `    ${aspect.padEnd(12)} ${points.toFixed(2).padStart(6)}  ${shown}`;
    });
  const head = `\n${mistake} ${id} ${judgement.score.toFixed(2)}`;
  return [head, `  ${showPost(lost)}`, `  ${showPost(found)}`, ...aspects].join('\n');
}
