import { isSilent } from '#worker/matching/words/phrase-tokens.ts';
import type { Token } from '#worker/matching/words/tokenise.ts';

/** "Imeandikwa", "maandishi", "writing", "reads": what follows stands on the thing itself. */
const CUE =
  /^(?:(?:i|li|ki|zi|u|vi|ya|a)(?:me|na|li)?(?:andikwa|someka)|(?:i|li|ki|zi|u|ya)(?:li)yo?andikwa|lililoandikwa|maandishi|writing|written|wrote|reads|saying|says|printed|inscription|engraved|slogan|caption)$/;
const SENTENCE_END = /[.;!?\n|]/;
const LONGEST_WRITING = 8;
const SHORTEST_WORD = 3;

/** The words that the post says are written on the thing; empty when it quotes none. */
export function readWritings(tokens: Token[]): string[] {
  const at = tokens.findIndex((token) => CUE.test(token.text));
  if (at < 0) return [];
  const quoted = tokens.slice(at + 1, at + 1 + LONGEST_WRITING);
  const end = quoted.findIndex((token, index) => index > 0 && SENTENCE_END.test(token.gap));
  return quoted
    .slice(0, end < 0 ? undefined : end)
    .map((token) => token.text)
    .filter((word) => word.length >= SHORTEST_WORD && !isSilent(word) && !CUE.test(word));
}
