import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { allowedEdits, boundedEditDistance, SHORTEST_WITH_SLIP } from '#worker/matching/words/edit-distance.ts';
import { singularForms } from '#worker/matching/words/english-morphology.ts';
import { isConnective, phraseWord } from '#worker/matching/words/phrase-tokens.ts';
import { adjectiveStem, nounForms, verbStem } from '#worker/matching/words/swahili-morphology.ts';
import { bitCount, consonantSkeleton, isSubsequence, letterBits } from '#worker/matching/words/word-keys.ts';

/** Where the word stands: a place is looked for in the location, things and their qualities in the rest. */
export type Scope = 'text' | 'location';

const CORRECTED_KINDS: Record<Scope, number> = {
  text: KIND_BITS.thing | KIND_BITS.colour | KIND_BITS.attribute | KIND_BITS.brand,
  location: KIND_BITS.place,
};
const CACHE_LIMIT = 20_000;
const SHORTEST_SKELETON = 3;
/** Letters of a word of the lexicon that a written word may be an abbreviation of. */
const SHORTEST_ABBREVIATED = 4;
/** What a slip costs beyond itself when it changes what a reader goes by, and how much beyond its limit it may cost. */
const OTHER_FIRST_LETTER_COST = 0.6;
const OTHER_CONSONANTS_COST = 0.3;
const COST_LEEWAY = 0.5;
/** A slip takes one letter away and adds another. */
const LETTERS_PER_SLIP = 2;

const cache = new Map<string, string[]>();

/** The words of the lexicon that a written word may stand for, the likeliest first; empty when it is none of them. */
export function wordAlternatives(word: string, scope: Scope): string[] {
  const key = `${scope} ${word}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const alternatives = findAlternatives(word, scope);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(key, alternatives);
  return alternatives;
}

/** The same without guessing: only the word itself and its inflections. */
export function knownForms(word: string): string[] {
  if (isConnective(word)) return [phraseWord(word)];
  const { vocabulary } = getLexicon();
  const kinds = vocabulary.get(word);
  if (kinds === KIND_BITS.word) return [word];
  const inflected = inflections(word).filter((form) => vocabulary.has(form));
  return kinds === undefined ? inflected : [word, ...inflected];
}

function findAlternatives(word: string, scope: Scope): string[] {
  const known = knownForms(word);
  if (known.length > 0) return known;
  if (/\d/.test(word) || (scope === 'text' && getLexicon().names.has(word))) return [];
  const spelled = abbreviated(word, scope);
  return spelled.length > 0 ? spelled : corrected(word, scope);
}

function inflections(word: string): string[] {
  const { adjectiveStems, verbStems } = getLexicon();
  const stems = [adjectiveStem(word, adjectiveStems), verbStem(word, verbStems)].filter((stem) => stem !== null);
  return [...new Set([...stems, ...singularForms(word), ...nounForms(word)])];
}

type Candidate = {
  word: string;
  /** Without the dash of an adjective's stem. */
  target: string;
  /** As letterBits has them. */
  letters: number;
};

const candidatesByScope = new Map<Scope, Candidate[]>();
const skeletonsByScope = new Map<Scope, Map<string, string[]>>();

function candidates(scope: Scope): Candidate[] {
  let list = candidatesByScope.get(scope);
  if (list === undefined) {
    list = [];
    for (const [word, kinds] of getLexicon().vocabulary) {
      if (
        (kinds & CORRECTED_KINDS[scope]) === 0 ||
        word.length < SHORTEST_ABBREVIATED ||
        word.startsWith('*') ||
        /\d/.test(word)
      )
        continue;
      const target = word.startsWith('-') ? word.slice(1) : word;
      list.push({ word, target, letters: letterBits(target) });
    }
    candidatesByScope.set(scope, list);
  }
  return list;
}

function candidatesBySkeleton(scope: Scope): Map<string, string[]> {
  let map = skeletonsByScope.get(scope);
  if (map === undefined) {
    map = new Map();
    for (const { word } of candidates(scope)) {
      const skeleton = consonantSkeleton(word);
      const alike = map.get(skeleton);
      if (alike === undefined) map.set(skeleton, [word]);
      else alike.push(word);
    }
    skeletonsByScope.set(scope, map);
  }
  return map;
}

function abbreviated(word: string, scope: Scope): string[] {
  const skeleton = consonantSkeleton(word);
  if (skeleton.length < SHORTEST_SKELETON || word.length - skeleton.length > 1) return [];
  const found = (candidatesBySkeleton(scope).get(skeleton) ?? []).filter((candidate) => isSubsequence(word, candidate));
  return found.length === 1 ? found : [];
}

/** A slip is put right only when one word of the lexicon is nearest: between two, nothing is guessed. */
function corrected(word: string, scope: Scope): string[] {
  const limit = allowedEdits(word.length);
  if (limit === 0) return [];
  const skeleton = consonantSkeleton(word);
  let best: string[] = [];
  let bestCost = Number.POSITIVE_INFINITY;
  const letters = letterBits(word);
  for (const { word: candidate, target, letters: others } of candidates(scope)) {
    if (Math.abs(target.length - word.length) > limit || target.length < SHORTEST_WITH_SLIP) continue;
    if (bitCount(letters ^ others) > LETTERS_PER_SLIP * limit) continue;
    const edits = boundedEditDistance(word, target, limit);
    if (edits > limit) continue;
    const cost =
      edits +
      (target[0] === word[0] ? 0 : OTHER_FIRST_LETTER_COST) +
      (consonantSkeleton(target) === skeleton ? 0 : OTHER_CONSONANTS_COST);
    if (cost > limit + COST_LEEWAY) continue;
    if (cost < bestCost) best = [];
    if (cost <= bestCost) best.push(candidate);
    bestCost = Math.min(bestCost, cost);
  }
  return best.length === 1 ? best : [];
}
