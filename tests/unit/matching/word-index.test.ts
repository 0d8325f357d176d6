import { expect, test } from 'vitest';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { indexWords, wordsShortenedTo, wordsWithin } from '#worker/matching/words/word-index.ts';
import { consonantSkeleton, isSubsequence } from '#worker/matching/words/word-keys.ts';

const EVERY_NTH = 13;
const words = [...getLexicon().vocabulary.keys()].filter((word, at) => at % EVERY_NTH === 0 && !word.startsWith('*'));
const index = indexWords(words);
const plain = (word: string): string => word.replace(/^-/, '');

/** The distance by its definition, all cells of it. */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + cost));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(cell(i, j), cell(i - 2, j - 2) + 1);
    }
  }
  return cell(a.length, b.length);
}

/** The word after each kind of slip, at a place of its own. */
function misspelt(word: string, at: number): string[] {
  const place = at % Math.max(1, word.length - 1);
  const [before, after] = [word.slice(0, place), word.slice(place)];
  return [
    before + after.slice(1),
    `${before}m${after}`,
    `${before}o${after.slice(1)}`,
    before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2),
    `${before}${after.slice(1)}u`,
  ];
}

const written = words.filter((_, at) => at % 40 === 0).flatMap((word, at) => misspelt(plain(word), at));

test('the index finds just the words that the distance to each would find', () => {
  expect(written.length).toBeGreaterThan(100);
  for (const limit of [1, 2]) {
    for (const one of written) {
      const near = words.filter(
        (word) => Math.abs(plain(word).length - one.length) <= limit && slipsBetween(one, plain(word)) <= limit,
      );
      expect(
        wordsWithin(index, one, limit)
          .map(({ word }) => word)
          .sort(),
        one,
      ).toEqual(near.sort());
    }
  }
});

test('the index finds just the words that leaving letters out makes of another', () => {
  const short = words.filter((_, at) => at % 4 === 0).map((word) => consonantSkeleton(plain(word)));
  for (const one of short) {
    const meant = words.filter(
      (word) => consonantSkeleton(word) === consonantSkeleton(one) && isSubsequence(one, word),
    );
    expect(wordsShortenedTo(index, one).sort(), one).toEqual(meant.sort());
  }
});

test('a slip says how many there were, and a stem is found without its dash', () => {
  const some = indexWords(['-kubwa', 'pochi']);
  expect(wordsWithin(some, 'kubwaa', 1)).toEqual([{ word: '-kubwa', target: 'kubwa', edits: 1 }]);
  expect(wordsWithin(some, 'pcohi', 2)).toEqual([{ word: 'pochi', target: 'pochi', edits: 1 }]);
  expect(wordsWithin(some, 'pochi', 0)).toEqual([{ word: 'pochi', target: 'pochi', edits: 0 }]);
});
