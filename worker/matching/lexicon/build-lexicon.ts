import { POST_KINDS } from '#contract/kinds.ts';
import { foldText, phraseShapes } from '#worker/matching/words/tokens.ts';
import {
  type Attribute,
  addPhrases,
  type Brand,
  type BuiltNode,
  type Colour,
  type Labels,
  type Lexicon,
  newPhraseTree,
  type PhraseTree,
  PLAIN_THING,
  type Place,
  type SenseKind,
  sensesAt,
  type Thing,
} from './lexicon-types.ts';
import { contentLines, parseEntries, parseSections, readGlossary, splitWords } from './read-lists.ts';

/** The columns of each list after the entry's id. The comment at the top of each list describes them. */
const THING_COLUMNS = ['english', 'swahili', 'notes'] as const;
const COLOUR_COLUMNS = ['english', 'swahili', 'notes'] as const;
const ATTRIBUTE_COLUMNS = ['english', 'swahili'] as const;
const BRAND_COLUMNS = ['makes', 'spellings', 'series'] as const;
const PLACE_COLUMNS = ['aliases', 'position', 'notes'] as const;
/** The section `[number 12]` of words.txt contains the words for twelve. */
const NUMBER_SECTION = /^number (?<value>\d+)$/;

/**
 * All word lists, in the order in which they are read. If several lists contain a word, the earliest gives its meaning.
 */
const LISTS = ['things', 'colours', 'attributes', 'brands', 'places', 'words', 'names', 'opposites', 'chat'] as const;
export const GLOSSARY_LISTS = ['glossary/house', 'glossary/land', 'glossary/town', 'glossary/craft'] as const;

export type ListName = (typeof LISTS)[number] | (typeof GLOSSARY_LISTS)[number];

/** The lexicon before packing: the whole phrase tree is in memory. */
export type BuiltLexicon = Omit<Lexicon, 'phrases' | 'version'> & { phrases: BuiltNode };

/** @param read returns the text of a list. */
export function buildLexicon(read: (list: ListName) => string): BuiltLexicon {
  const tree = newPhraseTree();
  const things = readThings(read('things'), tree);
  const colours = readColours(read('colours'), tree);
  const attributes = readAttributes(read('attributes'), tree);
  const brands = readBrands(read('brands'), tree);
  const places = readPlaces(read('places'), tree);
  readWords(read('words'), tree);
  const names = readNames(read('names'));
  const concepts = readGlossary(GLOSSARY_LISTS.map(read).join('\n'), { tree, things, attributes, names });
  const opposites = readOpposites(read('opposites'), tree);
  const words = [...tree.vocabulary.keys()];
  return {
    things,
    colours,
    attributes,
    brands,
    concepts,
    opposites,
    places,
    names,
    chat: readChat(read('chat')),
    phrases: tree.root,
    vocabulary: tree.vocabulary,
    adjectiveStems: new Set(words.filter((word) => word.startsWith('-'))),
    verbStems: new Set(words.filter((word) => word.startsWith('*'))),
  };
}

type NamedInBoth = { id: string; columns: { english: string[]; swahili: string[] } };

function addBoth(tree: PhraseTree, kind: SenseKind, { id, columns }: NamedInBoth): void {
  addPhrases(tree, columns.english, { kind, id, lang: 'en' });
  addPhrases(tree, columns.swahili, { kind, id, lang: 'sw' });
}

/** Returns, for each language, the first word that is whole, not a stem such as "-eusi". */
function labelsOf({ id, columns }: NamedInBoth): Labels {
  const plain = (words: string[]): string => words.find((word) => !/^[-*]/.test(word)) ?? id;
  return { en: plain(columns.english), sw: plain(columns.swahili) };
}

/** Returns the ids in all notes of the form `key id`, such as `near phone`. */
function idsNoted(notes: string[], key: 'near' | 'of'): Set<string> {
  return new Set(notes.filter((note) => note.startsWith(`${key} `)).map((note) => note.slice(key.length + 1)));
}

function readThings(text: string, tree: PhraseTree): Map<string, Thing> {
  const things = new Map<string, Thing>();
  for (const entry of parseEntries(contentLines(text), THING_COLUMNS)) {
    const { notes } = entry.columns;
    const flags = new Set(notes);
    things.set(entry.id, {
      ...PLAIN_THING,
      id: entry.id,
      parent: entry.parent,
      labels: labelsOf(entry),
      near: idsNoted(notes, 'near'),
      of: idsNoted(notes, 'of'),
      isCommon: flags.has('common'),
      isGroup: flags.has('group'),
      isForm: flags.has('form'),
      isContainer: flags.has('container'),
      isPackaging: flags.has('packaging'),
      isNamed: flags.has('named'),
      isAnimal: flags.has('animal'),
      isContext: flags.has('context'),
      postKind: POST_KINDS.find((kind) => flags.has(`post ${kind}`)) ?? null,
    });
    addBoth(tree, 'thing', entry);
  }
  return things;
}

function readColours(text: string, tree: PhraseTree): Map<string, Colour> {
  const colours = new Map<string, Colour>();
  for (const entry of parseEntries(contentLines(text), COLOUR_COLUMNS)) {
    colours.set(entry.id, {
      id: entry.id,
      parent: entry.parent,
      labels: labelsOf(entry),
      near: idsNoted(entry.columns.notes, 'near'),
    });
    addBoth(tree, 'colour', entry);
  }
  return colours;
}

function readAttributes(text: string, tree: PhraseTree): Map<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  for (const { name, lines } of parseSections(text)) {
    const [group = '', rule = ''] = name.split(':').map((part) => part.trim());
    for (const entry of parseEntries(lines, ATTRIBUTE_COLUMNS)) {
      attributes.set(entry.id, { id: entry.id, group, isExclusive: rule === 'one', labels: labelsOf(entry) });
      addBoth(tree, 'attribute', entry);
    }
  }
  return attributes;
}

function readBrands(text: string, tree: PhraseTree): Map<string, Brand> {
  const brands = new Map<string, Brand>();
  for (const { id, columns } of parseEntries(contentLines(text), BRAND_COLUMNS)) {
    brands.set(id, { id, makes: columns.makes, series: new Set(columns.series.map(foldText)) });
    addPhrases(tree, columns.spellings, { kind: 'brand', id, lang: 'any' });
    addPhrases(tree, columns.series, { kind: 'series', id, lang: 'any' });
  }
  return brands;
}

function readPlaces(text: string, tree: PhraseTree): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { id: name, parent, columns } of parseEntries(contentLines(text), PLACE_COLUMNS)) {
    const id = parent === null ? name : `${name}, ${parent}`;
    const [latitude = null, longitude = null] = columns.position.map(Number);
    const size = (['region', 'district', 'town'] as const).find((known) => columns.notes.includes(known)) ?? 'spot';
    places.set(id, {
      id,
      name,
      parent,
      size,
      isBig: columns.notes.includes('big'),
      isInstitution: columns.notes.includes('institution'),
      latitude,
      longitude,
    });
    addPhrases(tree, [name, ...columns.aliases], { kind: 'place', id, lang: 'any' });
  }
  linkParents(places);
  return places;
}

/**
 * Replaces the name of each place's parent by the parent's id. If several places have this name, the first one is the
 * parent. Places without a position get their parent's position.
 */
function linkParents(places: Map<string, Place>): void {
  const byName = new Map<string, string>();
  for (const place of places.values()) if (!byName.has(place.name)) byName.set(place.name, place.id);
  for (const place of places.values()) {
    if (place.parent !== null) place.parent = byName.get(place.parent) ?? place.parent;
  }
  for (const place of places.values()) {
    let around = place.parent === null ? undefined : places.get(place.parent);
    while (place.latitude === null && around !== undefined) {
      place.latitude = around.latitude;
      place.longitude = around.longitude;
      around = around.parent === null ? undefined : places.get(around.parent);
    }
  }
}

function readWords(text: string, tree: PhraseTree): void {
  for (const { name, lines } of parseSections(text)) {
    const value = NUMBER_SECTION.exec(name)?.groups?.value;
    const [kind, id]: [SenseKind, string] = value === undefined ? ['word', name] : ['number', value];
    addPhrases(tree, lines.flatMap(splitWords), { kind, id, lang: 'any' });
  }
}

function readNames(text: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of contentLines(text)) {
    const spellings = splitWords(line).map(foldText);
    const [first] = spellings;
    if (first === undefined) continue;
    for (const name of spellings) if (!names.has(name)) names.set(name, first);
  }
  return names;
}

/**
 * Reads opposites.txt. Each line is a question, such as "big or small?", to which only one answer can be true. Returns
 * each answer as the set of keys (as in `Detail`) that express the answer. Omits a key that fits several answers of the
 * same question.
 */
function readOpposites(text: string, tree: PhraseTree): Array<Array<ReadonlySet<string>>> {
  return contentLines(text).map((line) => {
    const answers = line.split('|').map((answer) => {
      const senses = splitWords(answer).flatMap((word) => sensesAt(tree, phraseShapes(word, 'en')[0] ?? []));
      return new Set(senses.map(({ kind, id }) => `${kind} ${id}`));
    });
    const isPlain = (key: string): boolean => answers.filter((answer) => answer.has(key)).length === 1;
    return answers.map((answer) => new Set([...answer].filter(isPlain)));
  });
}

function readChat(text: string): Map<string, string[]> {
  const chat = new Map<string, string[]>();
  for (const line of contentLines(text)) {
    const [short, full] = line.split('=').map((part) => foldText(part.trim()));
    if (short && full) chat.set(short, full.split(' '));
  }
  return chat;
}
