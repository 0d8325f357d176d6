import type { ListName } from '#worker/matching/lexicon/build-lexicon.ts';
import { contentLines, type LexiconEntry, parseEntries } from '#worker/matching/lexicon/lexicon-format.ts';

/** The lists that the Worker reads, and the words that are meant to name two things. */
export type CheckedList = ListName | 'two-meanings';

/** What is wrong, as a sentence with its place; a warning may be meant. */
export type Finding = { list: CheckedList; line: number; says: string; isError: boolean };

/** Gives the text of a list. */
export type ReadList = (list: CheckedList) => string;

export type NumberedLine = { line: number; content: string };

/** The lines of a list that say something, counted as an editor counts them. */
export function numberedLines(text: string): NumberedLine[] {
  return text.split('\n').flatMap((raw, at) => contentLines(raw).map((content) => ({ line: at + 1, content })));
}

/** The entries of a list, without the headings of its sections, each with its line. */
export function numberedEntries<Column extends string>(
  text: string,
  columns: readonly Column[],
): Array<LexiconEntry<Column> & { line: number }> {
  return numberedLines(text)
    .filter(({ content }) => !content.startsWith('['))
    .flatMap(({ line, content }) => parseEntries([content], columns).map((entry) => ({ ...entry, line })));
}

/** All values that came before, each with the line of the first. */
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
