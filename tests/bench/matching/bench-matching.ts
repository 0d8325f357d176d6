import { performance } from 'node:perf_hooks';
import { judgePair, weighPair } from '#worker/matching/judging/match-rules.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import { knownForms, type Scope, wordAlternatives } from '#worker/matching/reading/annotate.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { isConnective, isSilent, tokenise } from '#worker/matching/words/tokens.ts';
import { type BaselineFigures, measureBm25, measureSubstring } from './baselines.ts';
import { type Figures, figuresOf, type JudgedPair, judgeSet, type Measured } from './measure-matching.ts';
import { type Rate, rateOf } from './rates.ts';
import { type FixturePair, readSet, showPost } from './read-fixtures.ts';

/** The number of pairs for which the analysis and the judging of the posts are timed. */
const TIMED = 100;
const UNKNOWN_SHOWN = 60;
const NAME_WIDTH = 40;
/** Words with fewer letters are not counted in `Coverage`. */
const SHORTEST_WORD = 3;

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

type Report = {
  pairs: number;
  lookAlikes: number;
  figures: Figures;
  coverage: Coverage;
  baselines: BaselineFigures[];
  /** The number of notices about a match between posts of different fixture pairs. */
  crossMatches: number;
  /** The figures for each pair of languages, such as `sw-en`, if the files name the languages. */
  byDirection: Record<string, Figures>;
  readMs: number;
  judgeMs: number;
};

function showReport(report: Report): string {
  const { figures, coverage } = report;
  return [
    `${report.pairs} true pairs, ${report.lookAlikes} look-alikes`,
    '',
    'Listed: sure and possible',
    showRate('  recall', figures.listed.recall),
    showRate('  first place', figures.listed.firstPlace),
    showRate('  look-alikes listed', figures.listed.lookAlikes),
    'Told: sure alone',
    showRate('  recall', figures.told.recall),
    showRate('  precision', figures.told.precision),
    showRate('  look-alikes told', figures.told.lookAlikes),
    ...Object.entries(report.byDirection).flatMap(([direction, of]) => [
      showRate(`  ${direction}: listed, recall`, of.listed.recall),
      showRate(`  ${direction}: told, recall`, of.told.recall),
      showRate(`  ${direction}: told, precision`, of.told.precision),
    ]),
    ...report.baselines.flatMap(({ name, recall, precision, firstPlace }) => [
      name,
      showRate('  recall', recall),
      showRate('  precision', precision),
      showRate('  first place', firstPlace),
    ]),
    '',
    showRate('true pairs that share a term, both ways', figures.sharedTerm),
    showRate('coverage of titles and descriptions', coverage.texts),
    showRate('coverage of locations', coverage.locations),
    `told between posts of different pairs: ${report.crossMatches}`,
    `a post read in ${report.readMs.toFixed(2)} ms, 100 candidates judged in ${(100 * report.judgeMs).toFixed(2)} ms`,
  ].join('\n');
}

function showRate(name: string, { hits, of, rate, low, high }: Rate): string {
  const percent = (share: number): string => (100 * share).toFixed(1);
  const interval = `${percent(low)}–${percent(high)}`.padStart(11);
  return `${name.padEnd(NAME_WIDTH)} ${`${percent(rate)} %`.padStart(8)}  ${interval}  ${hits}/${of}`;
}

/** The share of words that the lexicon knows after typos are corrected. Names and words with digits do not count. */
type Coverage = {
  /** The share in titles and descriptions. */
  texts: Rate;
  /** The share in locations, where an unknown word usually is a village. */
  locations: Rate;
  /** The unknown words of the texts, most frequent first. */
  unknown: string[];
};

function measureCoverage(pairs: readonly FixturePair[]): Coverage {
  const posts = pairs.flatMap(({ lost, found }) => [lost, found]);
  const texts = split(posts, ({ title, description }) => `${title}\n${description}`, 'text');
  const locations = split(posts, ({ location }) => location, 'location');
  return { texts: texts.rate, locations: locations.rate, unknown: byFrequency(texts.unknown) };
}

function split(posts: MatchablePost[], textOf: (post: MatchablePost) => string, scope: Scope) {
  const words = posts.flatMap((post) => tokenise(textOf(post)).map(({ text }) => text)).filter(isCounted);
  const unknown = words.filter((word) => !isKnown(word, scope));
  return { rate: rateOf(words.length - unknown.length, words.length), unknown };
}

function isCounted(word: string): boolean {
  return word.length >= SHORTEST_WORD && !/\d/.test(word) && !getLexicon().names.has(word);
}

function isKnown(word: string, scope: Scope): boolean {
  if (isSilent(word) || isConnective(word) || getLexicon().chat.has(word)) return true;
  return knownForms(word).length > 0 || wordAlternatives(word, scope).length > 0;
}

function byFrequency(words: string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}
