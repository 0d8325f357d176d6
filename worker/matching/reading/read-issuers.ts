import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { isConnective } from '#worker/matching/words/phrase-tokens.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';
import type { PlaceMention } from './read-places.ts';

const SWAHILI_KEYWORD =
  /^(?:shule|sekondari|msingi|chuo|kikuu|kampuni|duka|famasi|zahanati|hospitali|kijiji|kata|hoteli|saluni|parokia|usharika)$/;
const ENGLISH_KEYWORD =
  /^(?:school|secondary|primary|academy|college|university|institute|seminary|ltd|limited|hardware|pharmacy|stationery|electronics|traders|enterprises|supermarket|security|saccos|vicoba|hotel|lodge|dispensary|hospital|parish|salon)$/;

/** "St Mary's": a school, a parish or a hospital, whichever. */
const SAINT = /^(?:st|saint)$/;
/** Letters. */
const SHORTEST_NAME = 3;

/** "Mkombozi Hardware": the word that follows a firm's name, and so is no person's second name. */
export function isFirmWord(word: string): boolean {
  return ENGLISH_KEYWORD.test(word);
}

/** Whose card or uniform it is: known institutions by id, others by the name beside "shule ya …" or "… secondary". */
export function readIssuers(tokens: Token[], named: PlaceMention[]): string[] {
  const { places } = getLexicon();
  const known = named.flat().filter((id) => places.get(id)?.isInstitution);
  if (known.length > 0) return known;
  return tokens.flatMap((token, at) => {
    if (SAINT.test(token.text) && token.isCapital) return nameOfSaint(tokens[at + 1]);
    if (SWAHILI_KEYWORD.test(token.text)) return nameFrom(tokens, at + 1, 1);
    return ENGLISH_KEYWORD.test(token.text) ? nameFrom(tokens, at - 1, -1) : [];
  });
}

function nameOfSaint(token: Token | undefined): string[] {
  const isNamed = token?.isCapital && ['', '.'].includes(token.gap) && token.text.length >= SHORTEST_NAME;
  return isNamed ? [token.text] : [];
}

function nameFrom(tokens: Token[], start: number, step: 1 | -1): string[] {
  let at = start;
  while (isConnective(tokens[at]?.text ?? '')) at += step;
  const token = tokens[at];
  const isSplit = step === 1 ? token?.gap !== '' : tokens[at + 1]?.gap !== '';
  if (token === undefined || isSplit || !token.isCapital || token.text.length < SHORTEST_NAME) return [];
  return isFirmWord(token.text) || isOrdinary(token.text) ? [] : [token.text];
}

/** Baraka, Mkombozi, Upendo: what is also a name, a place or a make may well be the name of a firm. */
function isOrdinary(word: string): boolean {
  const { names, vocabulary } = getLexicon();
  const kinds = names.has(word) ? 0 : (vocabulary.get(word) ?? 0);
  return (kinds & ~(KIND_BITS.place | KIND_BITS.brand | KIND_BITS.series)) !== 0 || SWAHILI_KEYWORD.test(word);
}
