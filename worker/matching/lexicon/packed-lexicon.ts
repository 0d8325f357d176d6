import type { Lang } from '#worker/matching/words/tokens.ts';
import type { BuiltLexicon } from './build-lexicon.ts';
import {
  type Attribute,
  type Brand,
  type BuiltNode,
  type Colour,
  type Concept,
  type Lexicon,
  type PhraseNode,
  PLAIN_THING,
  type Place,
  type Sense,
  type Thing,
} from './lexicon-types.ts';

/**
 * The packed lexicon has these lines: the version, the entries, the words, the kinds of phrase that contain each word
 * (as a sum of `KIND_BITS`), the senses. From line FIRST_PHRASES on (counted from 0), each line has the phrases that
 * begin with one word. Such a line is parsed only when a post contains its word.
 */
const FIRST_PHRASES = 5;
const BASE = 36;
const DIGITS_OF_KINDS = 2;
const KINDS = ['thing', 'colour', 'attribute', 'brand', 'series', 'place', 'word', 'number', 'concept'] as const;
const LANGS: readonly Lang[] = ['en', 'sw', 'any'];

/** The entries as JSON: sets become arrays, and a thing's default fields are omitted. */
type PackedEntries = {
  things: Array<
    Pick<Thing, 'id' | 'labels'> & Partial<Omit<Thing, 'near' | 'of'>> & { near?: string[]; of?: string[] }
  >;
  colours: Array<Omit<Colour, 'near'> & { near: string[] }>;
  brands: Array<Omit<Brand, 'series'> & { series: string[] }>;
  attributes: Attribute[];
  concepts: Concept[];
  places: Place[];
  opposites: string[][][];
  names: Array<[string, string]>;
  chat: Array<[string, string[]]>;
};

/** @param version a hash of the lexicon's sources: the lists, and the code that reads the lists. */
export function packLexicon(lexicon: BuiltLexicon, version: string): string {
  const words = [...lexicon.vocabulary.keys()];
  const senses = new Map<string, number>();
  const phrases = words.map((word) => packPhrases(lexicon.phrases.next?.get(word), senses));
  const kinds = words.map((word) => packNumber(lexicon.vocabulary.get(word) ?? 0).padStart(DIGITS_OF_KINDS, '0'));
  return [
    version,
    packEntries(lexicon),
    words.join(' '),
    kinds.join(''),
    [...senses.keys()].join('\t'),
    ...phrases,
  ].join('\n');
}

export function unpackLexicon(packed: string): Lexicon {
  const lines = packed.split('\n');
  const [version = '', entries = '', words = '', kinds = '', senses = ''] = lines;
  const lineOf = new Map<string, number>();
  for (const word of words.split(' ')) lineOf.set(word, FIRST_PHRASES + lineOf.size);
  const stems = (sign: string): Set<string> => new Set([...lineOf.keys()].filter((word) => word.startsWith(sign)));
  return {
    version,
    ...unpackEntries(entries),
    phrases: unpackPhrases(lines, lineOf, senses.split('\t')),
    vocabulary: {
      has: (word) => lineOf.has(word),
      keys: () => lineOf.keys(),
      get(word) {
        const line = lineOf.get(word);
        if (line === undefined) return undefined;
        const start = (line - FIRST_PHRASES) * DIGITS_OF_KINDS;
        return unpackNumber(kinds.slice(start, start + DIGITS_OF_KINDS));
      },
    },
    adjectiveStems: stems('-'),
    verbStems: stems('*'),
  };
}

function packNumber(number: number): string {
  return number.toString(BASE);
}

function unpackNumber(digits: string): number {
  return Number.parseInt(digits, BASE);
}

function packEntries({
  things,
  colours,
  attributes,
  brands,
  concepts,
  places,
  opposites,
  names,
  chat,
}: BuiltLexicon): string {
  const entries = {
    things: [...things.values()].map(unlikePlain),
    colours: [...colours.values()],
    brands: [...brands.values()],
    attributes: [...attributes.values()],
    concepts: [...concepts.values()],
    places: [...places.values()],
    opposites,
    names: [...names],
    chat: [...chat],
  };
  return JSON.stringify(entries, (_, value: unknown) => (value instanceof Set ? [...value] : value));
}

function unlikePlain(thing: Thing): object {
  const plain = new Map<string, unknown>(Object.entries(PLAIN_THING));
  const isPlain = (key: string, value: unknown): boolean =>
    value instanceof Set ? value.size === 0 : value === plain.get(key);
  return Object.fromEntries(Object.entries(thing).filter(([key, value]) => !isPlain(key, value)));
}

function unpackEntries(
  packed: string,
): Omit<Lexicon, 'version' | 'phrases' | 'vocabulary' | 'adjectiveStems' | 'verbStems'> {
  const entries: PackedEntries = JSON.parse(packed);
  const none: ReadonlySet<string> = new Set();
  const setOf = (ids: string[] | undefined): ReadonlySet<string> => (ids === undefined ? none : new Set(ids));
  return {
    things: byId(entries.things.map((one) => ({ ...PLAIN_THING, ...one, near: setOf(one.near), of: setOf(one.of) }))),
    colours: byId(entries.colours.map((one) => ({ ...one, near: setOf(one.near) }))),
    brands: byId(entries.brands.map((one) => ({ ...one, series: setOf(one.series) }))),
    attributes: byId(entries.attributes),
    concepts: byId(entries.concepts),
    places: byId(entries.places),
    opposites: entries.opposites.map((answers) => answers.map(setOf)),
    names: new Map(entries.names),
    chat: new Map(entries.chat),
  };
}

function byId<Entry extends { id: string }>(entries: Entry[]): Map<string, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

/**
 * Packs all phrases that begin with one word. In `=3f,2a;kubwa ya maji=44` the word alone has two senses, and the
 * phrase that continues with "kubwa ya maji" has one. A sense is packed as its index in the line of senses, in base 36.
 */
function packPhrases(node: BuiltNode | undefined, senses: Map<string, number>): string {
  const phrases: string[] = [];
  const visit = ({ senses: own, next }: BuiltNode, words: string[]): void => {
    if (own.length > 0) phrases.push(`${words.join(' ')}=${own.map((sense) => packSense(sense, senses)).join(',')}`);
    for (const [word, follower] of next ?? []) visit(follower, [...words, word]);
  };
  if (node !== undefined) visit(node, []);
  return phrases.join(';');
}

function packSense({ kind, lang, id }: Sense, senses: Map<string, number>): string {
  const packed = `${KINDS.indexOf(kind)}${LANGS.indexOf(lang)}${id}`;
  const at = senses.get(packed) ?? senses.size;
  senses.set(packed, at);
  return packNumber(at);
}

function unpackPhrases(lines: string[], lineOf: ReadonlyMap<string, number>, senses: string[]): PhraseNode {
  const nodes = new Map<string, PhraseNode>();
  const get = (word: string): PhraseNode | undefined => {
    const known = nodes.get(word);
    if (known !== undefined) return known;
    const node = unpackNode(lines[lineOf.get(word) ?? -1] ?? '', senses);
    if (node !== undefined) nodes.set(word, node);
    return node;
  };
  return { senses: [], next: { get } };
}

function unpackNode(packed: string, senses: string[]): PhraseNode | undefined {
  if (packed === '') return undefined;
  const first: BuiltNode = { senses: [], next: null };
  for (const phrase of packed.split(';')) {
    const [words = '', refs = ''] = phrase.split('=');
    let node = first;
    for (const word of words === '' ? [] : words.split(' ')) {
      node.next ??= new Map();
      const next: BuiltNode = node.next.get(word) ?? { senses: [], next: null };
      node.next.set(word, next);
      node = next;
    }
    node.senses = refs.split(',').map((ref) => unpackSense(senses[unpackNumber(ref)] ?? ''));
  }
  return first;
}

function unpackSense(packed: string): Sense {
  const [kind = 0, lang = 0] = [Number(packed[0]), Number(packed[1])];
  return { kind: KINDS[kind] ?? 'word', lang: LANGS[lang] ?? 'any', id: packed.slice(2) };
}
