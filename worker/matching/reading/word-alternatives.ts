import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS, type Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { allowedEdits, SHORTEST_WITH_SLIP } from '#worker/matching/words/edit-distance.ts';
import { singularForms } from '#worker/matching/words/english-morphology.ts';
import { isConnective, phraseWord } from '#worker/matching/words/phrase-tokens.ts';
import { adjectiveStem, nounForms, verbStem } from '#worker/matching/words/swahili-morphology.ts';
import { indexWords, type WordIndex, wordsShortenedTo, wordsWithin } from '#worker/matching/words/word-index.ts';
import { consonantSkeleton } from '#worker/matching/words/word-keys.ts';

/** Where the word stands: a place is looked for in the location, things and their qualities in the rest. */
export type Scope = 'text' | 'location';

const CORRECTED_KINDS: Record<Scope, number> = {
  text: KIND_BITS.thing | KIND_BITS.colour | KIND_BITS.attribute | KIND_BITS.brand,
  location: KIND_BITS.place,
};
/** Words kept of each kind: what most posts are written with. */
const CACHE_LIMIT = 20_000;
const SHORTEST_SKELETON = 3;
/** Letters of a word of the lexicon that a written word may be an abbreviation of. */
const SHORTEST_ABBREVIATED = 4;
/** What a slip costs beyond itself when it changes what a reader goes by, and how much beyond its limit it may cost. */
const OTHER_FIRST_LETTER_COST = 0.6;
const OTHER_CONSONANTS_COST = 0.3;
const COST_LEEWAY = 0.5;

const alternatives: Record<Scope, Map<string, string[]>> = { text: new Map(), location: new Map() };
const forms = new Map<string, string[]>();

/** The words of the lexicon that a written word may stand for, the likeliest first; empty when it is none of them. */
export function wordAlternatives(word: string, scope: Scope): string[] {
  return remember(alternatives[scope], word, () => findAlternatives(word, scope));
}

/** The same without guessing: only the word itself and its inflections. */
export function knownForms(word: string): string[] {
  return remember(forms, word, () => findForms(word));
}

/** What the word means by itself, in whatever form. */
export function meaningsOf(word: string): Sense[] {
  const { phrases } = getLexicon();
  return knownForms(word).flatMap((form) => phrases.next?.get(form)?.senses ?? []);
}

function remember(cache: Map<string, string[]>, word: string, find: () => string[]): string[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const found = find();
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(word, found);
  return found;
}

function findForms(word: string): string[] {
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

const indexes = new Map<Scope, WordIndex>();

function indexOf(scope: Scope): WordIndex {
  const known = indexes.get(scope);
  if (known !== undefined) return known;
  const words: string[] = [];
  const { vocabulary } = getLexicon();
  for (const word of vocabulary.keys()) {
    const isMeant = ((vocabulary.get(word) ?? 0) & CORRECTED_KINDS[scope]) !== 0 && word.length >= SHORTEST_ABBREVIATED;
    if (isMeant && !word.startsWith('*') && !/\d/.test(word)) words.push(word);
  }
  const index = indexWords(words);
  indexes.set(scope, index);
  return index;
}

function abbreviated(word: string, scope: Scope): string[] {
  const skeleton = consonantSkeleton(word);
  if (skeleton.length < SHORTEST_SKELETON || word.length - skeleton.length > 1) return [];
  const found = wordsShortenedTo(indexOf(scope), word);
  return found.length === 1 ? found : [];
}

/**
 * A slip is put right only when one word of the lexicon is nearest: between two, nothing is guessed. Villages that no list
 * has are many, and Kiberege is not Kerege.
 */
function corrected(word: string, scope: Scope): string[] {
  const limit = allowedEdits(word.length);
  if (limit === 0) return [];
  const skeleton = consonantSkeleton(word);
  let best: string[] = [];
  let bestCost = limit + COST_LEEWAY;
  for (const { word: candidate, target, edits } of wordsWithin(indexOf(scope), word, limit)) {
    if (target.length < SHORTEST_WITH_SLIP) continue;
    const cost =
      edits +
      (target[0] === word[0] ? 0 : OTHER_FIRST_LETTER_COST) +
      (consonantSkeleton(target) === skeleton ? 0 : OTHER_CONSONANTS_COST);
    if (cost > bestCost || (scope === 'location' && edits > 1 && consonantSkeleton(target) !== skeleton)) continue;
    if (cost < bestCost) best = [];
    best.push(candidate);
    bestCost = cost;
  }
  return best.length === 1 ? best : [];
}
