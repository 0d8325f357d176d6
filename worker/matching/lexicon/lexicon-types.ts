import type { PostKind } from '#contract/kinds.ts';
import { type Lang, phraseShapes } from '#worker/matching/words/tokens.ts';

export type SenseKind = 'thing' | 'colour' | 'attribute' | 'brand' | 'series' | 'place' | 'word' | 'number' | 'concept';

/** One meaning of a phrase. */
export type Sense = { kind: SenseKind; id: string; lang: Lang };

/** What the words so far mean, and what may follow them. */
export type PhraseNode = { senses: Sense[]; next: Pick<ReadonlyMap<string, PhraseNode>, 'get'> | null };

/** Kinds of phrase that a word occurs in, one bit each: thousands of small sets would be felt by the first post. */
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
  /** What "this thing of X" may be said of. */
  of: ReadonlySet<string>;
  /** Many people lose one, so more evidence is asked for. */
  isCommon: boolean;
  /** A heading only, shared by different things. */
  isGroup: boolean;
  /** Only the form that a document takes: card, book. */
  isForm: boolean;
  /** Something is usually in it. */
  isContainer: boolean;
  /** Only what something is packed in. */
  isPackaging: boolean;
  /** Belongs to the person named on it. */
  isNamed: boolean;
  isAnimal: boolean;
  /** Seldom the lost thing itself where the post names another. */
  isContext: boolean;
  /** What a post about it is put under, as is everything narrower that says nothing else. */
  postKind: PostKind | null;
  /** Only the glossary has it: two of its words may name one thing. */
  isOfGlossary: boolean;
};

/** A thing of which nothing is known but its names. */
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
  /** Ids of things, what it is best known for first. */
  makes: string[];
  /** Model series: spark, camon. */
  series: ReadonlySet<string>;
};

/** What a word of the glossary is about, where it names neither a thing nor a quality. */
export const CONCEPT_CLASSES = ['mark', 'body', 'person', 'place', 'event', 'action', 'other'] as const;

export type ConceptClass = (typeof CONCEPT_CLASSES)[number];

/** A word of the glossary: known in both languages, but no thing, no quality and no name. */
export type Concept = { id: string; class: ConceptClass; labels: Labels };

export type PlaceSize = 'region' | 'district' | 'town' | 'spot';

export type Place = {
  id: string;
  name: string;
  parent: string | null;
  size: PlaceSize;
  isBig: boolean;
  isInstitution: boolean;
  /** Degrees, as the place around it where the file gives none. */
  latitude: number | null;
  longitude: number | null;
};

export type Lexicon = {
  /** Of the lists that it was made from. */
  version: string;
  things: ReadonlyMap<string, Thing>;
  colours: ReadonlyMap<string, Colour>;
  attributes: ReadonlyMap<string, Attribute>;
  brands: ReadonlyMap<string, Brand>;
  concepts: ReadonlyMap<string, Concept>;
  /** Questions with answers that exclude each other; each answer by the details that give it. */
  opposites: ReadonlyArray<ReadonlyArray<ReadonlySet<string>>>;
  places: ReadonlyMap<string, Place>;
  /** Every spelling of a name to the name it stands for. */
  names: ReadonlyMap<string, string>;
  chat: ReadonlyMap<string, string[]>;
  phrases: PhraseNode;
  /** Every word of every phrase, with the kinds of phrase it occurs in. */
  vocabulary: Pick<ReadonlyMap<string, number>, 'get' | 'has' | 'keys'>;
  adjectiveStems: ReadonlySet<string>;
  verbStems: ReadonlySet<string>;
};

/** All phrases of the lexicon, word by word, and every word that stands in one with the kinds of phrase it stands in. */
export type PhraseTree = { root: BuiltNode; vocabulary: Map<string, number> };

export type BuiltNode = { senses: Sense[]; next: Map<string, BuiltNode> | null };

const NO_SENSES: Sense[] = [];

export function newPhraseTree(): PhraseTree {
  return { root: newNode(), vocabulary: new Map() };
}

/** Every phrase in every shape that it takes in a post. They share one list of senses, so that thousands are not made. */
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

/** What the words of one shape mean when they stand together. */
export function sensesAt(tree: Pick<PhraseTree, 'root'>, shape: string[]): readonly Sense[] {
  let node: BuiltNode | undefined = tree.root;
  for (const word of shape) node = node?.next?.get(word);
  return node?.senses ?? NO_SENSES;
}
