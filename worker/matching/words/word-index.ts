import { consonantSkeleton, isSubsequence, letterBits, mayBeWithin, VOWEL_BITS } from './word-keys.ts';

/**
 * Words of one length. An adjective's stem begins with a dash, such as "-eusi". `targets` are the words without this
 * dash, `letters` the `letterBits` of `targets`.
 */
type Shelf = { words: string[]; targets: string[]; letters: Int32Array };

/** The words of the lexicon by their length. The dash that begins an adjective's stem does not count. */
export type WordIndex = readonly (Shelf | undefined)[];

type SimilarWord = { word: string; target: string; edits: number };

export function indexWords(words: Iterable<string>): WordIndex {
  const byLength: string[][] = [];
  for (const word of words) {
    const { length } = letterOnly(word);
    byLength[length] ??= [];
    byLength[length].push(word);
  }
  return byLength.map((shelf) => {
    const targets = shelf.map(letterOnly);
    return { words: shelf, targets, letters: Int32Array.from(targets, letterBits) };
  });
}

/** Returns all words of the index from which the word `written` differs by at most `limit` typing errors. */
export function wordsWithin(index: WordIndex, written: string, limit: number): SimilarWord[] {
  const found: SimilarWord[] = [];
  const bits = letterBits(written);
  for (const { words, targets, letters } of shelvesWithin(index, written, limit)) {
    for (let at = 0; at < letters.length; at += 1) {
      if (!mayBeWithin(bits, letters[at] ?? 0, limit)) continue;
      const target = targets[at] ?? '';
      const edits = boundedEditDistance(written, target, limit);
      if (edits <= limit) found.push({ word: words[at] ?? '', target, edits });
    }
  }
  return found;
}

/** Returns all words of the index that `written` may abbreviate: "ktmblsho" is "kitambulisho" without some letters. */
export function wordsShortenedTo(index: WordIndex, written: string): string[] {
  const skeleton = consonantSkeleton(written);
  const bits = letterBits(written);
  return index.slice(written.length).flatMap((shelf) => {
    const found: string[] = [];
    shelf?.letters.forEach((letters, at) => {
      if ((bits & ~letters) !== 0 || (letters & ~bits & ~VOWEL_BITS) !== 0) return;
      const word = shelf.words[at] ?? '';
      if (consonantSkeleton(word) === skeleton && isSubsequence(written, word)) found.push(word);
    });
    return found;
  });
}

function shelvesWithin(index: WordIndex, written: string, limit: number): Shelf[] {
  const shelves = index.slice(Math.max(0, written.length - limit), written.length + limit + 1);
  return shelves.filter((shelf) => shelf !== undefined);
}

function letterOnly(word: string): string {
  return word.startsWith('-') ? word.slice(1) : word;
}

/**
 * Returns the Damerau-Levenshtein distance (optimal string alignment), or `limit + 1` for any distance above `limit`.
 * For small limits, trying each edit at the first difference is faster than filling the distance table.
 */
export function boundedEditDistance(a: string, b: string, limit: number): number {
  return distanceFrom(a, 0, b, 0, limit);
}

/** Returns the distance between `a` from index `fromA` on and `b` from index `fromB` on. */
function distanceFrom(a: string, fromA: number, b: string, fromB: number, limit: number): number {
  let [i, j] = [fromA, fromB];
  while (i < a.length && a[i] === b[j]) {
    i += 1;
    j += 1;
  }
  const [leftA, leftB] = [a.length - i, b.length - j];
  if (Math.abs(leftA - leftB) > limit) return limit + 1;
  if (leftA === 0 || leftB === 0) return leftA + leftB;
  if (limit === 0) return 1;
  const isSwapped = leftA > 1 && a[i] === b[j + 1] && a[i + 1] === b[j];
  const after = limit - 1;
  return (
    1 +
    Math.min(
      distanceFrom(a, i + 1, b, j + 1, after),
      distanceFrom(a, i + 1, b, j, after),
      distanceFrom(a, i, b, j + 1, after),
      isSwapped ? distanceFrom(a, i + 2, b, j + 2, after) : limit,
    )
  );
}

/** In a word with fewer letters, one different letter usually makes another word, so no typing error is assumed. */
export const SHORTEST_WITH_SLIP = 5;
const SHORTEST_WITH_TWO_SLIPS = 8;

/** How many typing errors are corrected in a word of this length. */
export function allowedEdits(length: number): number {
  if (length < SHORTEST_WITH_SLIP) return 0;
  return length < SHORTEST_WITH_TWO_SLIPS ? 1 : 2;
}
