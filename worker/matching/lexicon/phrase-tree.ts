import { phraseShapes } from '#worker/matching/words/phrase-tokens.ts';
import { KIND_BITS, type Sense } from './lexicon-types.ts';

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
