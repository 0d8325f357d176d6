import type { BaselineFigures } from './baselines.ts';
import type { Coverage } from './coverage.ts';
import type { Figures } from './measure-matching.ts';
import type { Rate } from './rates.ts';

export type Report = {
  pairs: number;
  lookAlikes: number;
  figures: Figures;
  coverage: Coverage;
  baselines: BaselineFigures[];
  /** Notices between posts of different pairs. */
  crossMatches: number;
  /** If the files contain the languages of the two sides. */
  byDirection: Record<string, Figures>;
  readMs: number;
  judgeMs: number;
};

const NAME_WIDTH = 40;

/** Formats the report. */
export function showReport(report: Report): string {
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
