import type { Breakage } from './breakage.ts';

/** A word or a sign of SQL, and what it becomes. */
const SWAPS: readonly [pattern: RegExp, replacement: string][] = [
  [/(?<=\s)and(?=\s)/g, 'or'],
  [/(?<=\s)or(?=\s)/g, 'and'],
  [/\bis not null\b/gi, 'is null'],
  [/\bis null\b/gi, 'is not null'],
  [/\bnot (?=exists|in)\b/gi, ''],
  [/(?<=\s)<=(?=\s)/g, '<'],
  [/(?<=\s)>=(?=\s)/g, '>'],
  [/(?<=\s)<(?=\s)/g, '<='],
  [/(?<=\s)>(?=\s)/g, '>='],
  [/(?<=\b(?:where|and|on)\s+[\w.]+\s)=(?=\s)/gi, '<>'],
  [/\bdesc\b/gi, 'asc'],
];
const VALUE = /\$\{[^}]*\}/g;

/** The breakages of the SQL in this part of the source; the values bound to it are not its words. */
export function findSqlBreakages(source: string, { start, end }: { start: number; end: number }): Breakage[] {
  const query = source.slice(start, end).replace(VALUE, (value) => '?'.repeat(value.length));
  return SWAPS.flatMap(([pattern, replacement]) =>
    [...query.matchAll(pattern)].map(({ index, 0: word }) => ({
      kind: 'sql',
      start: start + index,
      end: start + index + word.length,
      replacement,
    })),
  );
}
