import type { BuiltLexicon } from '#worker/matching/lexicon/build-lexicon.ts';
import { type Finding, numberedLines, type ReadList } from './list-lines.ts';
import { areApart, buildLists, entryPhrases, idsOf, LISTS_BY_KIND, type NamedKind } from './named-entries.ts';

type Contradiction = { kind: NamedKind; line: number; says: string };

/** Words that name two entries which contradict each other, unless they are listed as having two meanings. */
export function checkContradictions(read: ReadList): Finding[] {
  const lexicon = buildLists(read);
  const found = new Map<string, Contradiction>();
  for (const kind of ['thing', 'colour', 'attribute'] as const) {
    for (const { id, line, words } of entryPhrases(kind, read)) {
      for (const other of idsOf(lexicon, words, kind).filter((one) => CONTRADICTS[kind](lexicon, id, one))) {
        // Reported at the later of the two entries, which is probably the newer one.
        const says = `${words.join(' ')}: ${[id, other].sort().join(', ')}`;
        found.set(says, { kind, line, says });
      }
    }
  }
  const meant = new Map(numberedLines(read('two-meanings')).map(({ line, content }) => [content, line]));
  const clashes = [...found.values()].filter(({ says }) => !meant.has(says));
  const needless = [...meant].filter(([says]) => !found.has(says));
  return [
    ...clashes.map(({ kind, line, says }) => ({
      list: LISTS_BY_KIND[kind],
      line,
      says: sentenceOf(says),
      isError: true,
    })),
    ...needless.map(([says, line]) => ({
      list: 'two-meanings' as const,
      line,
      says: `"${says}" is not needed: the word no longer means two entries that contradict each other.`,
      isError: false,
    })),
  ];
}

function sentenceOf(says: string): string {
  const [word, ids] = says.split(': ');
  return `"${word}" means two entries that contradict each other, ${ids}. If it means both, two-meanings.txt says "${says}".`;
}

const CONTRADICTS: Record<NamedKind, (lexicon: BuiltLexicon, a: string, b: string) => boolean> = {
  thing: ({ things }, a, b) => areApart(things, a, b),
  colour: ({ colours }, a, b) => areApart(colours, a, b),
  attribute: ({ attributes }, a, b) => {
    const [one, other] = [attributes.get(a), attributes.get(b)];
    return a !== b && one?.isExclusive === true && one.group === other?.group;
  },
};
