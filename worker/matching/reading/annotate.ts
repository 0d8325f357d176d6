import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { PhraseNode, Sense } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective, isSilent } from '#worker/matching/words/phrase-tokens.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import { foldText } from '#worker/matching/words/tokenise.ts';
import type { Scope } from './word-alternatives.ts';
import { knownForms, wordAlternatives } from './word-alternatives.ts';
import { plainQualities } from './word-qualities.ts';

/** A stretch of tokens, [start, end), and what the lexicon knows it as; no senses for an unknown word. */
export type Annotation = { start: number; end: number; senses: Sense[] };

const LONGEST_PHRASE = 6;
/** Tokens, with the silent words and qualities in between: in "red red red …" each word would read all that follow. */
const LONGEST_STRETCH = 2 * LONGEST_PHRASE;
const BREAK = /[.,;:!?()|+\n]/;

/** Reads the longest known phrase at each point; tokens in `taken` belong to something else already. */
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

/** "Koti jeupe la daktari": the colour comes between the two halves of a Swahili phrase. */
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

/** "Kadi ya yellow fever", "battery ya gari": one half in each language. */
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
