import type { Token } from '#worker/matching/words/tokenise.ts';
import { knownForms } from './word-alternatives.ts';

const CODE = /^(?=.*\d)(?=.*[a-z])[a-z\d]{2,}$/;
const ABBREVIATION = /^\p{Lu}{3,}$/u;
/** Somebody who writes everything large marks nothing by it. */
const MOST_LARGE = 0.5;
/** Words: of fewer it cannot be told whether somebody shouts. */
const SHORTEST_SHOUT = 4;

/** Words that are rare by the way they are written: model codes, abbreviations, names of firms and people. */
export function readMarks(tokens: Token[]): string[] {
  const large = tokens.filter((token) => token.isCapital).length;
  const isShouted = large > MOST_LARGE * tokens.length && tokens.length >= SHORTEST_SHOUT;
  return tokens.flatMap((token, at) => {
    if (CODE.test(token.text)) return [token.text];
    if (isShouted || knownForms(token.text).length > 0) return [];
    const isInside = at > 0 && !/[.!?\n]/.test(token.gap);
    return ABBREVIATION.test(token.raw) || (isInside && token.isCapital) ? [token.text] : [];
  });
}
