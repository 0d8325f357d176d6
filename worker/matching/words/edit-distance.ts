/**
 * Damerau-Levenshtein (optimal string alignment) distance, or `limit + 1` as soon as it is known to be above `limit`.
 */
export function boundedEditDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    let rowBest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforePrevious, j - 2) + 1);
      }
      current.push(best);
      rowBest = Math.min(rowBest, best);
    }
    if (rowBest > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(at(previous, b.length), limit + 1);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** A shorter word with another letter is another word. */
export const SHORTEST_WITH_SLIP = 5;
const SHORTEST_WITH_TWO_SLIPS = 8;

/** How many slips of the finger a word of this length may hold and still be taken for the word it resembles. */
export function allowedEdits(length: number): number {
  if (length < SHORTEST_WITH_SLIP) return 0;
  return length < SHORTEST_WITH_TWO_SLIPS ? 1 : 2;
}
