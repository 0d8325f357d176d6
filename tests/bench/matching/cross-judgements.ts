import { appendFileSync, readFileSync } from 'node:fs';
import type { CrossMatch } from './measure-matching.ts';
import { type Rate, rateAmong } from './rates.ts';

const FILE = new URL('./cross-judgements.tsv', import.meta.url);

/** A person's verdict on whether two posts of different fixture pairs are about one thing; `?` if not judged. */
const VERDICTS = ['same', 'different', 'cannot say', '?'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** Each key is the id of the lost post and the id of the found post, separated by a tab. */
export type CrossJudgements = ReadonlyMap<string, Verdict>;

export function readCrossJudgements(): CrossJudgements {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map((line) => {
        const [lost = '', found = '', verdict = ''] = line.split('\t');
        return [`${lost}\t${found}`, toVerdict(verdict, line)];
      }),
  );
}

/** @throws Error for a line whose last column is not a verdict. */
function toVerdict(text: string, line: string): Verdict {
  const verdict = VERDICTS.find((known) => known === text.trim());
  if (verdict === undefined) throw new Error(`cross-judgements.tsv: "${line}" says none of: ${VERDICTS.join(', ')}.`);
  return verdict;
}

export function verdictOf(judgements: CrossJudgements, match: CrossMatch): Verdict {
  return judgements.get(keyOf(match)) ?? '?';
}

/** Appends the matches that the file lacks, with the verdict `?`, for a person to judge. @returns these matches. */
export function addUnjudged(judgements: CrossJudgements, matches: readonly CrossMatch[]): CrossMatch[] {
  const unknown = matches.filter((match) => !judgements.has(keyOf(match)));
  appendFileSync(FILE, unknown.map((match) => `${keyOf(match)}\t?\n`).join(''));
  return unknown;
}

/**
 * The share of correct notices about a match between posts of different fixture pairs. Notices that nobody could judge
 * do not count.
 */
export function crossPrecision(judgements: CrossJudgements, matches: readonly CrossMatch[]): Rate {
  const decided = matches
    .map((match) => verdictOf(judgements, match))
    .filter((verdict) => verdict === 'same' || verdict === 'different');
  return rateAmong(decided, (verdict) => verdict === 'same');
}

function keyOf({ lost, found }: CrossMatch): string {
  return `${lost.id}\t${found.id}`;
}
