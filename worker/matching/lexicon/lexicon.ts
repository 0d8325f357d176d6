import type { Lexicon } from './lexicon-types.ts';
import packed from './packed.txt';
import { unpackLexicon } from './packed-lexicon.ts';

let loaded: Lexicon | null = null;

/** Unpacks the lexicon at the first call, so that requests that do not use the lexicon are not delayed. */
export function getLexicon(): Lexicon {
  loaded ??= unpackLexicon(packed);
  return loaded;
}
