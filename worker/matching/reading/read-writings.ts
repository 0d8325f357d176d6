import { isSilent } from '#worker/matching/words/phrase-tokens.ts';
import { type Token, tokenise } from '#worker/matching/words/tokenise.ts';

/** "Imeandikwa", "maandishi", "writing", "reads": what follows stands on the thing itself. */
const CUE =
  /^(?:(?:i|li|ki|zi|u|vi|ya|a)(?:me|na|li)?(?:andikwa|someka)|(?:i|li|ki|zi|u|ya)(?:li)yo?andikwa|lililoandikwa|maandishi|writing|written|wrote|reads|saying|says|printed|inscription|engraved|slogan|caption)$/;
const SENTENCE_END = /[.;!?\n|]/;
const LONGEST_WRITING = 8;
const SHORTEST_WORD = 3;

const QUOTED = /["“”«»]([^"“”«»]{3,60})["“”«»]/g;

/** The words that the post says are written on the thing, or quotes; empty when it does neither. */
export function readWritings(text: string, tokens: Token[]): string[] {
  const quoted = [...text.matchAll(QUOTED)].flatMap(([, words = '']) => tokenise(words));
  return [...new Set([...quoted, ...afterCue(tokens)].map((token) => token.text).filter(isTelling))];
}

function isTelling(word: string): boolean {
  return word.length >= SHORTEST_WORD && !isSilent(word) && !CUE.test(word);
}

function afterCue(tokens: Token[]): Token[] {
  const at = tokens.findIndex((token) => CUE.test(token.text));
  if (at < 0) return [];
  const following = tokens.slice(at + 1, at + 1 + LONGEST_WRITING);
  const end = following.findIndex((token, index) => index > 0 && SENTENCE_END.test(token.gap));
  return following.slice(0, end < 0 ? undefined : end);
}
