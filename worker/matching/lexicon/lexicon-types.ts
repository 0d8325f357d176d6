import type { PostKind } from '#contract/kinds.ts';
import { type Lang, phraseShapes } from '#worker/matching/words/tokens.ts';

export type SenseKind = 'thing' | 'colour' | 'attribute' | 'brand' | 'series' | 'place' | 'word' | 'number' | 'concept';

export type Sense = { kind: SenseKind; id: string; lang: Lang };

/** A node of the phrase tree: what the words up to here mean, and the words that may follow. */
export type PhraseNode = { senses: Sense[]; next: Pick<ReadonlyMap<string, PhraseNode>, 'get'> | null };

/**
 * One bit for each kind of phrase. For each word, one number combines the bits of the kinds of phrase that contain the
 * word. A set for each of these thousands of words would slow the first request down.
 */
export const KIND_BITS: Record<SenseKind, number> = {
  thing: 1 << 0,
  colour: 1 << 1,
  attribute: 1 << 2,
  brand: 1 << 3,
  series: 1 << 4,
  place: 1 << 5,
  word: 1 << 6,
  number: 1 << 7,
  concept: 1 << 8,
};

export type Labels = { en: string; sw: string };

export type Thing = {
  id: string;
  parent: string | null;
  labels: Labels;
  near: ReadonlySet<string>;
  /** What the thing belongs to: for car keys, "car". So "keys of a car" means car keys. */
  of: ReadonlySet<string>;
  /** Whether many people lose such a thing, so that a match needs more evidence. */
  isCommon: boolean;
  /** Whether the entry is only a heading for different things, such as "document". */
  isGroup: boolean;
  /** Whether the word only says which form a document has: card, book. */
  isForm: boolean;
  /** Whether the thing usually contains other things, as a bag does. */
  isContainer: boolean;
  /** Whether the thing is only packaging: in "a sack of maize" people look for the maize. */
  isPackaging: boolean;
  /** Whether the thing belongs to the person whose name is on it. */
  isNamed: boolean;
  isAnimal: boolean;
  /** Whether the thing, such as a bus, is rarely the lost thing itself if the post also names another thing. */
  isContext: boolean;
  /** The category of a post about this thing. It also applies to narrower things that state no category. */
  postKind: PostKind | null;
  /**
   * Whether the thing is only in the lexicon's glossary (folder `glossary`), not in things.txt. `near` then contains
   * the other things that the words for this thing may mean.
   */
  isOfGlossary: boolean;
};

/** The defaults of a thing's optional fields. */
export const PLAIN_THING: Omit<Thing, 'id' | 'labels'> = {
  parent: null,
  near: new Set(),
  of: new Set(),
  isCommon: false,
  isGroup: false,
  isForm: false,
  isContainer: false,
  isPackaging: false,
  isNamed: false,
  isAnimal: false,
  isContext: false,
  postKind: null,
  isOfGlossary: false,
};

export type Colour = { id: string; parent: string | null; labels: Labels; near: ReadonlySet<string> };

export type Attribute = { id: string; group: string; isExclusive: boolean; labels: Labels };

export type Brand = {
  id: string;
  /** Ids of the things that the brand produces, the best-known thing first. */
  makes: string[];
  /** Names of model series: spark, camon. */
  series: ReadonlySet<string>;
};

/** The classes of the words in the lexicon's glossary that name neither a thing nor a quality. */
export const CONCEPT_CLASSES = ['mark', 'body', 'person', 'place', 'event', 'action', 'other'] as const;

export type ConceptClass = (typeof CONCEPT_CLASSES)[number];

/** An entry of the lexicon's glossary that is neither a thing nor a quality nor a name. */
export type Concept = { id: string; class: ConceptClass; labels: Labels };

export type PlaceSize = 'region' | 'district' | 'town' | 'spot';

export type Place = {
  id: string;
  name: string;
  parent: string | null;
  size: PlaceSize;
  isBig: boolean;
  isInstitution: boolean;
  /** In degrees. A place without a position in places.txt gets the position of its parent place. */
  latitude: number | null;
  longitude: number | null;
};

export type Lexicon = {
  /** A hash of the lists and of the code that reads them. Posts analysed with another version are analysed again. */
  version: string;
  things: ReadonlyMap<string, Thing>;
  colours: ReadonlyMap<string, Colour>;
  attributes: ReadonlyMap<string, Attribute>;
  brands: ReadonlyMap<string, Brand>;
  concepts: ReadonlyMap<string, Concept>;
  /**
   * Questions such as "big or small?", to which only one answer can be true. An answer is stored as the set of the
   * keys (as in `Detail`) that express the answer.
   */
  opposites: ReadonlyArray<ReadonlyArray<ReadonlySet<string>>>;
  places: ReadonlyMap<string, Place>;
  /** Maps every spelling of a person's name to the main spelling of this name. */
  names: ReadonlyMap<string, string>;
  chat: ReadonlyMap<string, string[]>;
  phrases: PhraseNode;
  /** Every word of every phrase, with the `KIND_BITS` of the phrases that contain it. */
  vocabulary: Pick<ReadonlyMap<string, number>, 'get' | 'has' | 'keys'>;
  adjectiveStems: ReadonlySet<string>;
  verbStems: ReadonlySet<string>;
};

/** All phrases as a tree of words, and all their words with the `KIND_BITS` of the phrases that contain them. */
export type PhraseTree = { root: BuiltNode; vocabulary: Map<string, number> };

export type BuiltNode = { senses: Sense[]; next: Map<string, BuiltNode> | null };

const NO_SENSES: Sense[] = [];

export function newPhraseTree(): PhraseTree {
  return { root: newNode(), vocabulary: new Map() };
}

/** Adds all word orders of each phrase. All word orders share one list of senses to save memory. */
export function addPhrases(tree: PhraseTree, phrases: string[], sense: Sense): void {
  const senses: [Sense] = [sense];
  for (const phrase of phrases) for (const shape of phraseShapes(phrase, sense.lang)) addShape(tree, shape, senses);
}

function addShape(tree: PhraseTree, shape: string[], senses: [Sense]): void {
  const [sense] = senses;
  let node = tree.root;
  for (const word of shape) {
    tree.vocabulary.set(word, (tree.vocabulary.get(word) ?? 0) | KIND_BITS[sense.kind]);
    node.next ??= new Map();
    let next = node.next.get(word);
    if (next === undefined) {
      next = newNode();
      node.next.set(word, next);
    }
    node = next;
  }
  if (node.senses === NO_SENSES) node.senses = senses;
  else if (!node.senses.some((known) => known.kind === sense.kind && known.id === sense.id)) {
    node.senses = [...node.senses, sense];
  }
}

function newNode(): BuiltNode {
  return { senses: NO_SENSES, next: null };
}

/** Returns the meanings of the phrase that consists of exactly these words. */
export function sensesAt(tree: Pick<PhraseTree, 'root'>, shape: string[]): readonly Sense[] {
  let node: BuiltNode | undefined = tree.root;
  for (const word of shape) node = node?.next?.get(word);
  return node?.senses ?? NO_SENSES;
}
