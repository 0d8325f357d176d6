import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { foldText, type Token } from '#worker/matching/words/tokenise.ts';

/** With fewer letters it is a code (A12, MC5), with more figures than a year has a serial. */
const NUMBERED = /^\d{0,4}(?<letters>\p{L}{3,})\d{0,4}$/u;
/** Of a name that is a make too the figures may be the model: a Mark2. */
const MAKES = KIND_BITS.brand | KIND_BITS.series;

/** "Kimaro2", "neema95": without what a keyboard or an account's name has left on a name. A code stays as it is. */
export function withoutFigures(word: string): string {
  return NUMBERED.exec(word)?.groups?.letters ?? word;
}

/** The same in a text, where a word may be anything: only of a name that is well known. */
export function dropFigures(tokens: Token[]): Token[] {
  return tokens.map((token) => (isNumberedName(token.text) ? { ...token, text: withoutFigures(token.text) } : token));
}

/** "asha2015" is Asha; but whoever copies a serial writes it large, and ALI2015 is one. */
export function isWrittenAsName(typed: string): boolean {
  return typed !== typed.toUpperCase() && isNumberedName(foldText(typed));
}

function isNumberedName(word: string): boolean {
  const { names, vocabulary } = getLexicon();
  const name = withoutFigures(word);
  return name !== word && names.has(name) && ((vocabulary.get(name) ?? 0) & MAKES) === 0;
}
