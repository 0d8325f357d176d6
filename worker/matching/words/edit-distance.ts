/**
 * Damerau-Levenshtein (optimal string alignment) distance, or `limit + 1` as soon as it is known to be above `limit`.
 */
export function boundedEditDistance(a: string, b: string, limit: number): number {
  const beyond = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return beyond;
  const start = sharedStart(a, b);
  const end = sharedEnd(a, b, start);
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  let beforePrevious: number[] = [];
  let previous: number[] = [];
  for (let j = 0; j <= right.length; j += 1) previous.push(j);
  for (let i = 1; i <= left.length; i += 1) {
    const current = new Array<number>(right.length + 1).fill(beyond);
    current[0] = i;
    let rowBest = i;
    // A cell further from the diagonal than the limit holds more slips than that.
    for (let j = Math.max(1, i - limit); j <= Math.min(right.length, i + limit); j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      let best = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + cost);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        best = Math.min(best, at(beforePrevious, j - 2) + 1);
      }
      current[j] = best;
      rowBest = Math.min(rowBest, best);
    }
    if (rowBest > limit) return beyond;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(at(previous, right.length), beyond);
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** Without the letters that are shared at the start already. */
function sharedEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
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
