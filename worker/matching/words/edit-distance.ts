/**
 * Damerau-Levenshtein (optimal string alignment) distance, or `limit + 1` as soon as it is known to be above `limit`. With
 * a limit of few, trying each slip where the words first differ is quicker than the table of all distances.
 */
export function boundedEditDistance(a: string, b: string, limit: number): number {
  return distanceFrom(a, 0, b, 0, limit);
}

/** The distance between what is left of both from these letters on. */
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

/** A shorter word with another letter is another word. */
export const SHORTEST_WITH_SLIP = 5;
const SHORTEST_WITH_TWO_SLIPS = 8;

/** How many slips of the finger a word of this length may hold and still be taken for the word it resembles. */
export function allowedEdits(length: number): number {
  if (length < SHORTEST_WITH_SLIP) return 0;
  return length < SHORTEST_WITH_TWO_SLIPS ? 1 : 2;
}
