import { POST_KINDS } from '#contract/posts.ts';
import type { ListName } from '#worker/matching/lexicon/build-lexicon.ts';
import { type Finding, findRepeated, numberedEntries, numberedLines, type ReadList } from './list-lines.ts';

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
/** "Of institution" refers to an issuer, which is not an entry. */
const ISSUER = 'institution';

type Entry = { id: string; parent: string | null; line: number; notes: string[] };

/** Checks entries' notes, and that the ids they refer to exist. */
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

/** The rules for an animal's colours and sex depend on the note of its entry. */
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
