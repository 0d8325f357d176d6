import type { ListName } from '#worker/matching/lexicon/build-lexicon.ts';
import { contentLines, type LexiconEntry, parseEntries } from '#worker/matching/lexicon/lexicon-format.ts';

/** The lists that the Worker reads, and the list of words with two meanings. */
export type CheckedList = ListName | 'two-meanings';

/** A problem with its position. If `isError` is false it is a warning, and may be intended. */
export type Finding = { list: CheckedList; line: number; says: string; isError: boolean };

/** Reads the text of a list. */
export type ReadList = (list: CheckedList) => string;

export type NumberedLine = { line: number; content: string };

/** The lines of a list that are not empty or comments, with the line numbers of an editor. */
export function numberedLines(text: string): NumberedLine[] {
  return text.split('\n').flatMap((raw, at) => contentLines(raw).map((content) => ({ line: at + 1, content })));
}

/** The entries of a list with their line numbers, without section headings. */
export function numberedEntries<Column extends string>(
  text: string,
  columns: readonly Column[],
): Array<LexiconEntry<Column> & { line: number }> {
  return numberedLines(text)
    .filter(({ content }) => !content.startsWith('['))
    .flatMap(({ line, content }) => parseEntries([content], columns).map((entry) => ({ ...entry, line })));
}

/** The values that occurred before, with the line of their first occurrence. */
export function findRepeated<Value extends { line: number }>(
  values: Value[],
  keyOf: (value: Value) => string,
): Array<{ value: Value; firstLine: number }> {
  const lines = new Map<string, number>();
  return values.flatMap((value) => {
    const firstLine = lines.get(keyOf(value));
    if (firstLine === undefined) lines.set(keyOf(value), value.line);
    return firstLine === undefined ? [] : [{ value, firstLine }];
  });
}
