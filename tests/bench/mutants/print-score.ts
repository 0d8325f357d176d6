import type { Mutant } from './choose-mutants.ts';
import type { Verdict } from './try-mutant.ts';

export type Tried = { mutant: Mutant; verdict: Verdict };
const SHOWN_CHARS = 60;

export function describeMutant({ path, line, kind, original, replacement }: Mutant, verdict: Verdict): string {
  const change = `${kind}: ${show(original)} → ${show(replacement) || 'nothing'}`;
  return `${path}:${line}  ${change}  ${VERDICTS[verdict.state](verdict)}`;
}

const VERDICTS: Record<Verdict['state'], (verdict: Verdict) => string> = {
  seen: (verdict) => `seen by ${'by' in verdict ? verdict.by : ''}`,
  unseen: () => 'UNSEEN',
  open: () => 'not seen by the nearest tests',
  refused: () => 'refused by the compiler or the linter',
};

/** @returns how many of a hundred were seen. */
export function printScore(all: Tried[]): number {
  const tried = all.filter(({ verdict }) => verdict.state !== 'refused');
  const refused = all.length - tried.length;
  console.log();
  const areas = Map.groupBy(tried, ({ mutant }) => mutant.path.split('/')[0] ?? '');
  const nouns = Map.groupBy(tried, ({ mutant }) => mutant.noun);
  for (const [noun, ofNoun] of [...nouns].sort(([left], [right]) => left.localeCompare(right))) printRow(noun, ofNoun);
  console.log();
  for (const [area, ofArea] of areas) printRow(area, ofArea);
  printRow('all', tried);
  console.log(`${refused} more were refused by the compiler or the linter.`);
  return percent(tried);
}

function printRow(name: string, tried: Tried[]): void {
  console.log(`${name.padEnd(22)} ${countSeen(tried)} of ${tried.length}`.padEnd(36), `${percent(tried).toFixed(0)} %`);
}

function percent(tried: Tried[]): number {
  return tried.length === 0 ? 100 : (100 * countSeen(tried)) / tried.length;
}

function countSeen(tried: Tried[]): number {
  return tried.filter(({ verdict }) => verdict.state === 'seen').length;
}

function show(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}
