import { phraseShapes } from '#worker/matching/words/phrase-tokens.ts';
import { foldText } from '#worker/matching/words/tokenise.ts';
import attributesText from './attributes.txt';
import brandsText from './brands.txt';
import chatText from './chat.txt';
import coloursText from './colours.txt';
import type { Lang, LexiconEntry } from './lexicon-format.ts';
import { parseEntries, parseSections, splitWords } from './lexicon-format.ts';
import type {
  Attribute,
  Brand,
  Colour,
  Labels,
  Lexicon,
  PhraseNode,
  Place,
  Sense,
  SenseKind,
  Thing,
} from './lexicon-types.ts';
import { KIND_BITS } from './lexicon-types.ts';
import namesText from './names.txt';
import placesText from './places.txt';
import thingsText from './things.txt';
import wordsText from './words.txt';

let loaded: Lexicon | null = null;

/** Read once, when the first post is read: a request that matches nothing does not pay for it. */
export function getLexicon(): Lexicon {
  loaded ??= buildLexicon();
  return loaded;
}

type Builder = { phrases: PhraseNode; vocabulary: Map<string, number> };

const NO_SENSES: Sense[] = [];

function buildLexicon(): Lexicon {
  const builder: Builder = { phrases: { senses: NO_SENSES, next: null }, vocabulary: new Map() };
  const things = readThings(builder);
  const colours = readColours(builder);
  const attributes = readAttributes(builder);
  const brands = readBrands(builder);
  const places = readPlaces(builder);
  readWords(builder);
  const words = [...builder.vocabulary.keys()];
  return {
    things,
    colours,
    attributes,
    brands,
    places,
    names: readNames(),
    chat: readChat(),
    phrases: builder.phrases,
    vocabulary: builder.vocabulary,
    adjectiveStems: new Set(words.filter((word) => word.startsWith('-'))),
    verbStems: new Set(words.filter((word) => word.startsWith('*'))),
  };
}

/** `senses` holds the one meaning; it is shared by all phrases of an entry, so that thousands of lists are not made. */
function addPhrase(builder: Builder, phrase: string, lang: Lang, senses: [Sense]): void {
  const [sense] = senses;
  const bit = KIND_BITS[sense.kind];
  for (const shape of phraseShapes(phrase, lang)) {
    let node = builder.phrases;
    for (const word of shape) {
      builder.vocabulary.set(word, (builder.vocabulary.get(word) ?? 0) | bit);
      node.next ??= new Map();
      let next = node.next.get(word);
      if (next === undefined) {
        next = { senses: NO_SENSES, next: null };
        node.next.set(word, next);
      }
      node = next;
    }
    if (node.senses === NO_SENSES) node.senses = senses;
    else if (!node.senses.some((known) => known.kind === sense.kind && known.id === sense.id)) {
      node.senses = [...node.senses, sense];
    }
  }
}

function addBoth(builder: Builder, kind: SenseKind, id: string, en: string[], sw: string[]): void {
  const english: [Sense] = [{ kind, id, lang: 'en' }];
  const swahili: [Sense] = [{ kind, id, lang: 'sw' }];
  for (const phrase of en) addPhrase(builder, phrase, 'en', english);
  for (const phrase of sw) addPhrase(builder, phrase, 'sw', swahili);
}

function labelsOf(entry: LexiconEntry): Labels {
  const plain = (words: string[] | undefined): string => words?.find((word) => !/^[-*]/.test(word)) ?? entry.id;
  return { en: plain(entry.columns[0]), sw: plain(entry.columns[1]) };
}

function notesOf(entry: LexiconEntry, column: number): { flags: Set<string>; pairs: (key: string) => Set<string> } {
  const notes = entry.columns[column] ?? [];
  return {
    flags: new Set(notes),
    pairs: (key) =>
      new Set(notes.filter((note) => note.startsWith(`${key} `)).map((note) => note.slice(key.length + 1))),
  };
}

function readThings(builder: Builder): Map<string, Thing> {
  const things = new Map<string, Thing>();
  for (const entry of parseEntries(thingsText)) {
    const { flags, pairs } = notesOf(entry, 2);
    things.set(entry.id, {
      id: entry.id,
      parent: entry.parent,
      labels: labelsOf(entry),
      near: pairs('near'),
      of: pairs('of'),
      isCommon: flags.has('common'),
      isGroup: flags.has('group'),
      isForm: flags.has('form'),
      isContainer: flags.has('container'),
      isPackaging: flags.has('packaging'),
      isNamed: flags.has('named'),
      isAnimal: flags.has('animal'),
      isContext: flags.has('context'),
    });
    addBoth(builder, 'thing', entry.id, entry.columns[0] ?? [], entry.columns[1] ?? []);
  }
  return things;
}

function readColours(builder: Builder): Map<string, Colour> {
  const colours = new Map<string, Colour>();
  for (const entry of parseEntries(coloursText)) {
    colours.set(entry.id, {
      id: entry.id,
      parent: entry.parent,
      labels: labelsOf(entry),
      near: notesOf(entry, 2).pairs('near'),
    });
    addBoth(builder, 'colour', entry.id, entry.columns[0] ?? [], entry.columns[1] ?? []);
  }
  return colours;
}

function readAttributes(builder: Builder): Map<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  for (const section of parseSections(attributesText)) {
    const [group = '', rule = ''] = splitWords(section.name.replace(':', ','));
    for (const entry of section.entries) {
      attributes.set(entry.id, { id: entry.id, group, isExclusive: rule === 'one', labels: labelsOf(entry) });
      addBoth(builder, 'attribute', entry.id, entry.columns[0] ?? [], entry.columns[1] ?? []);
    }
  }
  return attributes;
}

function readBrands(builder: Builder): Map<string, Brand> {
  const brands = new Map<string, Brand>();
  for (const entry of parseEntries(brandsText)) {
    const [makes = [], spellings = [], series = []] = entry.columns;
    brands.set(entry.id, { id: entry.id, makes, series: new Set(series.map(foldText)) });
    for (const phrase of spellings) addPhrase(builder, phrase, 'any', [{ kind: 'brand', id: entry.id, lang: 'any' }]);
    for (const phrase of series) addPhrase(builder, phrase, 'any', [{ kind: 'series', id: entry.id, lang: 'any' }]);
  }
  return brands;
}

function readPlaces(builder: Builder): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const entry of parseEntries(placesText)) {
    const [aliases = [], position = [], notes = []] = entry.columns;
    const id = placeId(entry.id, entry.parent);
    const [latitude = null, longitude = null] = position.map(Number);
    const size = (['region', 'district', 'town'] as const).find((known) => notes.includes(known)) ?? 'spot';
    places.set(id, {
      id,
      name: entry.id,
      parent: entry.parent,
      size,
      isBig: notes.includes('big'),
      isInstitution: notes.includes('institution'),
      latitude,
      longitude,
    });
    for (const phrase of [entry.id, ...aliases])
      addPhrase(builder, phrase, 'any', [{ kind: 'place', id, lang: 'any' }]);
  }
  linkParents(places);
  return places;
}

/** A name may be used in two towns; what is inside a place names it plainly, and means the first of that name. */
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

export function placeId(name: string, parent: string | null): string {
  return parent === null ? name : `${name}, ${parent}`;
}

function readWords(builder: Builder): void {
  for (const section of parseSections(wordsText)) {
    const [role = '', value = ''] = /^(.*?)(?: (\d+))?$/.exec(section.name)?.slice(1) ?? [];
    const kind: SenseKind = role === 'number' ? 'number' : 'word';
    const id = role === 'number' ? value : section.name;
    for (const word of section.words) addPhrase(builder, word, 'any', [{ kind, id, lang: 'any' }]);
  }
}

function readNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of namesText.split('\n')) {
    const [first, ...variants] = splitWords(line.split('#')[0] ?? '').map(foldText);
    if (first === undefined) continue;
    for (const name of [first, ...variants]) if (!names.has(name)) names.set(name, first);
  }
  return names;
}

function readChat(): Map<string, string[]> {
  const chat = new Map<string, string[]>();
  for (const line of chatText.split('\n')) {
    const [short, full] = (line.split('#')[0] ?? '').split('=').map((part) => foldText(part.trim()));
    if (short && full) chat.set(short, full.split(' '));
  }
  return chat;
}
