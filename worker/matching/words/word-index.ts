import { boundedEditDistance } from './edit-distance.ts';
import { consonantSkeleton, isSubsequence, letterBits, mayBeWithin, VOWEL_BITS } from './word-keys.ts';

/** The words of one length, and which letters each has. */
type Shelf = { words: string[]; letters: Int32Array };

/** Words of the lexicon by their length; the dash that opens an adjective's stem is no letter. */
export type WordIndex = readonly (Shelf | undefined)[];

export type SimilarWord = { word: string; target: string; edits: number };

export function indexWords(words: Iterable<string>): WordIndex {
  const byLength: string[][] = [];
  for (const word of words) {
    const { length } = letterOnly(word);
    byLength[length] ??= [];
    byLength[length].push(word);
  }
  return byLength.map((shelf) => ({
    words: shelf,
    letters: Int32Array.from(shelf, (word) => letterBits(letterOnly(word))),
  }));
}

/** All words that at most `limit` slips of the finger make of the written one. */
export function wordsWithin(index: WordIndex, written: string, limit: number): SimilarWord[] {
  const found: SimilarWord[] = [];
  const bits = letterBits(written);
  for (let length = written.length - limit; length <= written.length + limit; length += 1) {
    const shelf = index[length];
    for (let at = 0; at < (shelf?.letters.length ?? 0); at += 1) {
      if (!mayBeWithin(bits, shelf?.letters[at] ?? 0, limit)) continue;
      const word = shelf?.words[at] ?? '';
      const target = letterOnly(word);
      const edits = boundedEditDistance(written, target, limit);
      if (edits <= limit) found.push({ word, target, edits });
    }
  }
  return found;
}

/** All words that become the written one when letters, vowels above all, are left out: "ktmblsho". */
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

function letterOnly(word: string): string {
  return word.startsWith('-') ? word.slice(1) : word;
}
