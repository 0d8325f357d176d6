import { type BuiltLexicon, buildLexicon } from '#worker/matching/lexicon/build-lexicon.ts';
import { sensesAt } from '#worker/matching/lexicon/phrase-tree.ts';
import { phraseShapes } from '#worker/matching/words/phrase-tokens.ts';
import { numberedEntries, type ReadList } from './list-lines.ts';

export const LISTS_BY_KIND = { thing: 'things', colour: 'colours', attribute: 'attributes' } as const;

export type NamedKind = keyof typeof LISTS_BY_KIND;

/** A phrase of an entry, in the form that is compared with posts. */
type EntryPhrase = { kind: NamedKind; id: string; line: number; words: string[] };

/** Builds the lexicon without the glossary, which never overrides the lists. */
export function buildLists(read: ReadList): BuiltLexicon {
  return buildLexicon((list) => (list.startsWith('glossary/') ? '' : read(list)));
}

export function entryPhrases(kind: NamedKind, read: ReadList): EntryPhrase[] {
  return numberedEntries(read(LISTS_BY_KIND[kind]), ['english', 'swahili']).flatMap(({ id, line, columns }) => {
    const shapes = [
      ...columns.english.map((phrase) => phraseShapes(phrase, 'en')[0] ?? []),
      ...columns.swahili.map((phrase) => phraseShapes(phrase, 'sw')[0] ?? []),
    ];
    return shapes.map((words) => ({ kind, id, line, words }));
  });
}

/** The entries of one kind that the words name. */
export function idsOf({ phrases }: BuiltLexicon, words: string[], kind: NamedKind): string[] {
  const senses = sensesAt({ root: phrases }, words);
  return senses.filter((sense) => sense.kind === kind).map(({ id }) => id);
}

type Kin = ReadonlyMap<string, { parent: string | null; near: ReadonlySet<string> }>;

/** Whether the two are neither near each other nor one a kind of the other. */
export function areApart(entries: Kin, a: string, b: string): boolean {
  const isNear = entries.get(a)?.near.has(b) || entries.get(b)?.near.has(a);
  return !isNear && !widerOf(entries, a).has(b) && !widerOf(entries, b).has(a);
}

function widerOf(entries: Kin, id: string): Set<string> {
  const wider = new Set<string>();
  for (let at: string | null = id; at !== null && !wider.has(at); at = entries.get(at)?.parent ?? null) wider.add(at);
  return wider;
}
