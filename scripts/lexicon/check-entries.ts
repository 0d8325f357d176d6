import { POST_KINDS } from '#contract/kinds.ts';
import { type BuiltLexicon, buildLexicon, type ListName } from '#worker/matching/lexicon/build-lexicon.ts';
import { sensesAt } from '#worker/matching/lexicon/lexicon-types.ts';
import { contentLines, type LexiconEntry, parseEntries } from '#worker/matching/lexicon/read-lists.ts';
import { phraseShapes } from '#worker/matching/words/tokens.ts';

const THING_FLAGS = [
  'common',
  'group',
  'form',
  'container',
  'packaging',
  'named',
  'animal',
  'context',
  ...POST_KINDS.map((kind) => `post ${kind}`),
];
const PLACE_FLAGS = ['region', 'district', 'town', 'big', 'institution'];
const ID_NOTES = ['near', 'of'];
const SECTION_RULES = ['one', 'any'];
/**
 * The note `of institution` means that an institution, such as a bank, issues the item. In this note, `institution` is
 * not the id of an entry.
 */
const ISSUER = 'institution';

type Entry = { id: string; parent: string | null; line: number; notes: string[] };

/** Checks the notes of the lexicon's entries, and that an entry exists for each id in a note. */
export function checkEntries(read: ReadList): Finding[] {
  const things = entriesOf(read('things'));
  const colours = entriesOf(read('colours'));
  return [
    ...checkNotes('things', things, THING_FLAGS),
    ...checkIds('things', things, [ISSUER]),
    ...checkAnimals(things),
    ...checkNotes('colours', colours, []),
    ...checkIds('colours', colours, []),
    ...checkMakes(read('brands'), new Set(things.map(({ id }) => id))),
    ...checkPlaceNotes(read('places')),
    ...checkSections(read('attributes')),
    ...checkRepeatedIds(read),
  ];
}

function entriesOf(text: string): Entry[] {
  return numberedEntries(text, ['english', 'swahili', 'notes']).map((entry) => ({
    ...entry,
    notes: entry.columns.notes,
  }));
}

function checkNotes(list: ListName, entries: Entry[], flags: string[]): Finding[] {
  const isKnown = (note: string): boolean => flags.includes(note) || ID_NOTES.some((key) => note.startsWith(`${key} `));
  return entries.flatMap(({ id, line, notes }) =>
    notes
      .filter((note) => !isKnown(note))
      .map((note) =>
        error(
          list,
          line,
          `"${id}" has the note "${note}", which means nothing: it is none of ${[...flags, ...ID_NOTES.map((key) => `${key} ID`)].join(', ')}.`,
        ),
      ),
  );
}

function checkIds(list: ListName, entries: Entry[], alsoKnown: string[]): Finding[] {
  const known = new Set([...entries.map(({ id }) => id), ...alsoKnown]);
  return entries.flatMap(({ id, parent, line, notes }) => {
    const named = notes.flatMap((note) =>
      ID_NOTES.filter((key) => note.startsWith(`${key} `)).map((key) => [key, note.slice(key.length + 1)] as const),
    );
    const all = parent === null ? named : [...named, ['<', parent] as const];
    return all
      .filter(([, other]) => !known.has(other))
      .map(([key, other]) => error(list, line, `"${id}" says "${key} ${other}", and there is no "${other}".`));
  });
}

/** Requires the note `animal` if the entry's parent has it: the rules for colours and sex depend on the note. */
function checkAnimals(things: Entry[]): Finding[] {
  const animals = new Set(things.filter(({ notes }) => notes.includes('animal')).map(({ id }) => id));
  return things
    .filter(({ id, parent }) => parent !== null && animals.has(parent) && !animals.has(id))
    .map(({ id, parent, line }) =>
      error(
        'things',
        line,
        `"${id}" is a kind of "${parent}" without the note "animal": its colours would be judged as those of a thing.`,
      ),
    );
}

function checkMakes(text: string, things: ReadonlySet<string>): Finding[] {
  return numberedEntries(text, ['makes']).flatMap(({ id, line, columns }) =>
    columns.makes
      .filter((made) => !things.has(made))
      .map((made) => error('brands', line, `"${id}" makes "${made}", and there is no such thing.`)),
  );
}

function checkPlaceNotes(text: string): Finding[] {
  return numberedEntries(text, ['aliases', 'position', 'notes']).flatMap(({ id, line, columns }) =>
    columns.notes
      .filter((note) => !PLACE_FLAGS.includes(note))
      .map((note) =>
        error(
          'places',
          line,
          `"${id}" has the note "${note}", which means nothing: it is none of ${PLACE_FLAGS.join(', ')}.`,
        ),
      ),
  );
}

function checkSections(text: string): Finding[] {
  return numberedLines(text).flatMap(({ line, content }) => {
    const [, name = '', rule = ''] = /^\[([^:\]]*):?([^\]]*)\]/.exec(content) ?? [];
    if (!content.startsWith('[') || SECTION_RULES.includes(rule.trim())) return [];
    return [error('attributes', line, `The section "${name}" is marked "${rule.trim()}" and not "one" or "any".`)];
  });
}

function checkRepeatedIds(read: ReadList): Finding[] {
  return (['things', 'colours', 'attributes', 'brands'] as const).flatMap((list) =>
    findRepeated(numberedEntries(read(list), []), ({ id }) => id).map(({ value, firstLine }) =>
      error(list, value.line, `"${value.id}" is an entry of line ${firstLine} already.`),
    ),
  );
}

function error(list: ListName, line: number, says: string): Finding {
  return { list, line, says, isError: true };
}

type Contradiction = { kind: NamedKind; line: number; says: string };

/**
 * Reports words that name two entries which contradict each other. Words in the list of words with two meanings are
 * intended, so they are not reported.
 */
export function checkContradictions(read: ReadList): Finding[] {
  const lexicon = buildLists(read);
  const found = new Map<string, Contradiction>();
  for (const kind of ['thing', 'colour', 'attribute'] as const) {
    for (const { id, line, words } of entryPhrases(kind, read)) {
      for (const other of idsOf(lexicon, words, kind).filter((one) => CONTRADICTS[kind](lexicon, id, one))) {
        // Reports the entry that is further down in the list: this entry is probably newer, and the mistake.
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

const LISTS_BY_KIND = { thing: 'things', colour: 'colours', attribute: 'attributes' } as const;

type NamedKind = keyof typeof LISTS_BY_KIND;

/** A phrase of an entry, in the form in which the Worker compares it with posts. */
type EntryPhrase = { kind: NamedKind; id: string; line: number; words: string[] };

/**
 * Builds the lexicon without its glossary (the lists in the folder `glossary`). The checks of the other lists do not
 * need the glossary, because the glossary's words never replace words of another list.
 */
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

/** Returns the ids of the entries of this kind that have these words as a name. */
export function idsOf({ phrases }: BuiltLexicon, words: string[], kind: NamedKind): string[] {
  const senses = sensesAt({ root: phrases }, words);
  return senses.filter((sense) => sense.kind === kind).map(({ id }) => id);
}

type Kin = ReadonlyMap<string, { parent: string | null; near: ReadonlySet<string> }>;

/**
 * Whether two entries are unrelated. Entries are related if the lists mark them as near, or if one is a kind of the
 * other ("laptop" is a kind of "electronics").
 */
export function areApart(entries: Kin, a: string, b: string): boolean {
  const isNear = entries.get(a)?.near.has(b) || entries.get(b)?.near.has(a);
  return !isNear && !widerOf(entries, a).has(b) && !widerOf(entries, b).has(a);
}

function widerOf(entries: Kin, id: string): Set<string> {
  const wider = new Set<string>();
  for (let at: string | null = id; at !== null && !wider.has(at); at = entries.get(at)?.parent ?? null) wider.add(at);
  return wider;
}

/** The lists that the Worker reads, and the list of words with two meanings. */
export type CheckedList = ListName | 'two-meanings';

/** A problem in a list. If `isError` is false it is a warning: the line may be intended. */
export type Finding = { list: CheckedList; line: number; says: string; isError: boolean };

export type ReadList = (list: CheckedList) => string;

export type NumberedLine = { line: number; content: string };

/** Returns the lines that are neither empty nor comments, with their line numbers in the file. */
export function numberedLines(text: string): NumberedLine[] {
  return text.split('\n').flatMap((raw, at) => contentLines(raw).map((content) => ({ line: at + 1, content })));
}

/** Returns the entries of a list with their line numbers, without section headings. */
function numberedEntries<Column extends string>(
  text: string,
  columns: readonly Column[],
): Array<LexiconEntry<Column> & { line: number }> {
  return numberedLines(text)
    .filter(({ content }) => !content.startsWith('['))
    .flatMap(({ line, content }) => parseEntries([content], columns).map((entry) => ({ ...entry, line })));
}

/** Returns each value that repeats an earlier value of the list, with the line of the first occurrence. */
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
