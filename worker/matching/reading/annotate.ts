import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS, type PhraseNode, type Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { adjectiveStem, nounForms, singularForms, verbStem } from '#worker/matching/words/morphology.ts';
import { foldText, isConnective, isSilent, phraseWord, type Token } from '#worker/matching/words/tokens.ts';
import {
  allowedEdits,
  indexWords,
  SHORTEST_WITH_SLIP,
  type WordIndex,
  wordsShortenedTo,
  wordsWithin,
} from '#worker/matching/words/word-index.ts';
import { consonantSkeleton } from '#worker/matching/words/word-keys.ts';
import type { Element } from './item-mention.ts';

/**
 * The tokens from `start` up to, but not including, `end`, with their meanings in the lexicon. An unknown word has no
 * senses.
 */
export type Annotation = { start: number; end: number; senses: Sense[] };

const LONGEST_PHRASE = 6;
/**
 * The most tokens that a phrase spans in a text, including articles, possessives and qualities inside the phrase.
 * Without a limit "red red red …" would take quadratic time.
 */
const LONGEST_STRETCH = 2 * LONGEST_PHRASE;
const BREAK = /[.,;:!?()|+\n]/;

/** Finds the longest known phrase at each position. Skips tokens in `taken`, which are already read as names. */
export function annotate(tokens: Token[], scope: Scope, taken: ReadonlySet<number> = new Set()): Annotation[] {
  const annotations: Annotation[] = [];
  for (let start = 0; start < tokens.length; ) {
    if (taken.has(start)) {
      start += 1;
      continue;
    }
    const found = longestPhrase(tokens, start, scope, taken);
    annotations.push(found ?? { start, end: start + 1, senses: [] });
    start = found?.end ?? start + 1;
  }
  return annotations;
}

export function isBreak(token: Token | undefined): boolean {
  return token !== undefined && BREAK.test(token.gap);
}

function longestPhrase(tokens: Token[], start: number, scope: Scope, taken: ReadonlySet<number>): Annotation | null {
  let best: Annotation | null = null;
  const visit = (node: PhraseNode, at: number, depth: number): void => {
    if (node.senses.length > 0 && at > (best?.end ?? start) && fits(node.senses, scope)) {
      best = { start, end: at, senses: node.senses };
    }
    const token = tokens[at];
    if (token === undefined || taken.has(at) || depth >= LONGEST_PHRASE || at - start >= LONGEST_STRETCH) return;
    if (depth > 0 && separates(tokens, at)) return;
    for (const word of depth === 0 ? firstWords(tokens, at, scope) : wordAlternatives(token.text, scope)) {
      const next = node.next?.get(word);
      if (next !== undefined) visit(next, at + 1, depth + 1);
    }
    if (depth > 0 && (isSilent(token.text) || isQualityBeforeOf(tokens, at))) {
      visit({ senses: [], next: node.next }, at + 1, depth);
    }
  };
  visit(getLexicon().phrases, start, 0);
  return best;
}

/** Whether a quality splits a Swahili phrase: in "koti jeupe la daktari" jeupe (white) is inside "doctor's coat". */
function isQualityBeforeOf(tokens: Token[], at: number): boolean {
  const next = tokens[at + 1];
  if (next === undefined || isBreak(next) || isBreak(tokens[at])) return false;
  if (!isConnective(next.text) && !isQuality(next.text)) return false;
  return isQuality(tokens[at]?.text ?? '');
}

function isQuality(word: string): boolean {
  return isNumber(word) || plainQualities(word, 'colour').length > 0 || plainQualities(word, 'attribute').length > 0;
}

function isNumber(word: string): boolean {
  const { phrases } = getLexicon();
  return knownForms(word).some((form) => phrases.next?.get(form)?.senses.some((sense) => sense.kind === 'number'));
}

/** Returns a phrase's possible first words, also translated: "kadi ya yellow fever" mixes Swahili and English. */
function firstWords(tokens: Token[], at: number, scope: Scope): string[] {
  const words = wordAlternatives(tokens[at]?.text ?? '', scope);
  if (scope !== 'text' || !isConnective(tokens[at + 1]?.text ?? '') || isBreak(tokens[at + 1])) return words;
  return [...words, ...words.flatMap(inOtherLanguage)];
}

function inOtherLanguage(word: string): string[] {
  const { phrases, things } = getLexicon();
  const senses = phrases.next?.get(word)?.senses ?? [];
  return senses.flatMap((sense) => {
    const labels = sense.kind === 'thing' ? things.get(sense.id)?.labels : undefined;
    const other = sense.lang === 'en' ? labels?.sw : labels?.en;
    return other === undefined || other.includes(' ') ? [] : [foldText(other)];
  });
}

function fits(senses: Sense[], scope: Scope): boolean {
  return scope === 'text' || senses.some((sense) => sense.kind === 'place' || sense.kind === 'word');
}

function separates(tokens: Token[], at: number): boolean {
  const previous = tokens[at - 1];
  const isInitial = previous !== undefined && previous.text.length === 1 && tokens[at]?.gap === '.';
  return isBreak(tokens[at]) && !isInitial;
}

/** The field of a post: places are read in the location, things and their qualities in title and description. */
export type Scope = 'text' | 'location';

const CORRECTED_KINDS: Record<Scope, number> = {
  text: KIND_BITS.thing | KIND_BITS.colour | KIND_BITS.attribute | KIND_BITS.brand,
  location: KIND_BITS.place,
};
/** How many words are cached for each scope: enough for the vocabulary of most posts. */
const CACHE_LIMIT = 20_000;
const SHORTEST_SKELETON = 3;
/** Fewest letters of a lexicon word that a written word may abbreviate. */
const SHORTEST_ABBREVIATED = 4;
/**
 * Extra costs of a typing error in the first letter or in a consonant. A word is a correction if its typing errors and
 * extra costs are at most the allowed errors plus COST_LEEWAY.
 */
const OTHER_FIRST_LETTER_COST = 0.6;
const OTHER_CONSONANTS_COST = 0.3;
const COST_LEEWAY = 0.5;

const alternatives: Record<Scope, Map<string, string[]>> = { text: new Map(), location: new Map() };
const forms = new Map<string, string[]>();

/** Returns the lexicon's words that a written word may mean, the likeliest first; empty for an unknown word. */
export function wordAlternatives(word: string, scope: Scope): string[] {
  return remember(alternatives[scope], word, () => findAlternatives(word, scope));
}

/** Like `wordAlternatives`, but without correcting typing errors: only the word and its inflections. */
export function knownForms(word: string): string[] {
  return remember(forms, word, () => findForms(word));
}

/** Returns all meanings of a single word and its inflections. */
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
 * Corrects a typing error only if exactly one word of the lexicon is the nearest. The rules for locations are stricter:
 * many villages are in no list, and Kiberege is not a misspelt Kerege.
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

const INK = /^(?:paint|ink|marker|pen)$/;

/**
 * Returns the colours or other qualities that a single word means in every context. Omits Swahili nouns that can also
 * be colours: maziwa is milk or cream-coloured, but "chupa ya maziwa" is a milk bottle.
 */
export function plainQualities(word: string, kind: 'attribute' | 'colour'): string[] {
  const { phrases } = getLexicon();
  return knownForms(word).flatMap((form) => {
    // Skips forms with another noun prefix: "make" in "make-up" would otherwise be read as a plural of "jike" (female).
    if (form !== word && !/^[-*]/.test(form)) return [];
    const senses = phrases.next?.get(form)?.senses ?? [];
    return senses.filter((sense) => sense.kind === kind && isPlain(sense, form)).map((sense) => sense.id);
  });
}

function isPlain(sense: Sense, form: string): boolean {
  if (sense.lang === 'en' || form.startsWith('-')) return true;
  return ['for whom', 'age of whom'].includes(getLexicon().attributes.get(sense.id)?.group ?? '');
}

/** Whether the colour is that of a text on the thing: "wameandikwa P kwa rangi nyekundu", "marked KH in red paint". */
export function isColourOfWriting(tokens: Token[], { start, end }: Pick<Element, 'start' | 'end'>): boolean {
  const [first, next] = [tokens[start], tokens[end]];
  const before = tokens[first?.text === 'rangi' ? start - 1 : start - 2];
  const isPaint = first?.text === 'rangi' || tokens[start - 1]?.text === 'rangi';
  return (isPaint && before?.text === 'kwa') || (next?.gap === '' && INK.test(next.text));
}
