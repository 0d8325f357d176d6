import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isSilent } from '#worker/matching/words/phrase-tokens.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { Element } from './item-mention.ts';
import { knownForms } from './word-alternatives.ts';

/** "Aina ya", "chapa", "brand": the word that follows is a make, whether a list knows it or not. */
const CUE = /^(?:chapa|brand|make|kampuni)$/;
/** Letters. */
const SHORTEST_MAKE = 3;

/**
 * Words that stand where a make is due and that no list knows: after a cue, or written large beside the thing itself
 * ("friji ya Mobisol", "Sumry bus"). Two such names that are not alike are different makes.
 */
export function readMakers(tokens: Token[], elements: Element[]): string[] {
  const cued = tokens.flatMap((token, at) => (CUE.test(token.text) ? makeAt(tokens, at + 1, false) : []));
  const beside = elements.flatMap((element) => {
    if (element.item?.role !== 'head') return [];
    return [...makeAt(tokens, element.end, true), ...makeBefore(tokens, element.start)];
  });
  return [...new Set([...cued, ...beside])];
}

function makeBefore(tokens: Token[], start: number): string[] {
  return start > 0 && tokens[start]?.gap === '' ? makeAt(tokens, start - 1, true) : [];
}

function makeAt(tokens: Token[], start: number, mustBeCapital: boolean): string[] {
  let at = start;
  while (/^(?:ya|la|cha|za|wa|ni|is|aina|of|the)$/.test(tokens[at]?.text ?? '') || isSilent(tokens[at]?.text ?? ''))
    at += 1;
  const token = tokens[at];
  if (token === undefined || (at > start && token.gap !== '') || !isUnknownName(token)) return [];
  return mustBeCapital && !isWrittenAsName(tokens, at) ? [] : [token.text];
}

function isUnknownName({ text }: Token): boolean {
  return (
    text.length >= SHORTEST_MAKE && !/\d/.test(text) && knownForms(text).length === 0 && !getLexicon().names.has(text)
  );
}

/** A capital that only opens a sentence says nothing, nor does one where everything is written large. */
function isWrittenAsName(tokens: Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !token.isCapital || at === 0 || /[.!?\n]/.test(token.gap)) return false;
  return tokens.some((other) => !other.isCapital && /\p{L}/u.test(other.raw));
}
