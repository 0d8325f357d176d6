import type { Lexicon } from './lexicon-types.ts';
import packed from './packed.txt';
import { unpackLexicon } from './packed-lexicon.ts';

let loaded: Lexicon | null = null;

/** Unpacks the lexicon on first use, so that requests without matching do not pay for it. */
export function getLexicon(): Lexicon {
  loaded ??= unpackLexicon(packed);
  return loaded;
}
