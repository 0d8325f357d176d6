import type { Lexicon } from './lexicon-types.ts';
import packed from './packed.txt';
import { unpackLexicon } from './packed-lexicon.ts';

let loaded: Lexicon | null = null;

/** Read once, when the first post is read: a request that matches nothing does not pay for it. */
export function getLexicon(): Lexicon {
  loaded ??= unpackLexicon(packed);
  return loaded;
}
