import { getLexicon } from './lexicon.ts';
import { isConnective } from './phrase-tokens.ts';
import type { PlaceMention } from './read-places.ts';
import type { Token } from './tokenise.ts';
import { knownForms } from './word-alternatives.ts';

const SWAHILI_KEYWORD = /^(?:shule|sekondari|msingi|chuo|kikuu|kampuni)$/;
const ENGLISH_KEYWORD = /^(?:school|secondary|primary|academy|college|university|institute|seminary|ltd|limited)$/;

/** Whose card or uniform it is: known institutions by id, others by the name beside "shule ya …" or "… secondary". */
export function readIssuers(tokens: Token[], named: PlaceMention[]): string[] {
  const { places } = getLexicon();
  const known = named.flat().filter((id) => places.get(id)?.isInstitution);
  if (known.length > 0) return known;
  return tokens.flatMap((token, at) => {
    if (SWAHILI_KEYWORD.test(token.text)) return nameFrom(tokens, at + 1, 1);
    return ENGLISH_KEYWORD.test(token.text) ? nameFrom(tokens, at - 1, -1) : [];
  });
}

function nameFrom(tokens: Token[], start: number, step: 1 | -1): string[] {
  let at = start;
  while (isConnective(tokens[at]?.text ?? '')) at += step;
  const token = tokens[at];
  const isSplit = step === 1 ? token?.gap !== '' : tokens[at + 1]?.gap !== '';
  if (token === undefined || isSplit || !token.isCapital || token.text.length < 3) return [];
  return knownForms(token.text).length === 0 ? [token.text] : [];
}
