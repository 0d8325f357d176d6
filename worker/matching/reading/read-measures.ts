/** A size that is said in figures: shoes 42, a 15 inch laptop, 64 GB. */
export type Measure = { unit: 'size' | 'inch' | 'gb' | 'age'; value: number };

const PATTERNS: ReadonlyArray<readonly [Measure['unit'], RegExp]> = [
  ['size', /\b(?:size|saizi|namba)\s*(\d{1,2}(?:\.5)?)\b/],
  ['inch', /\b(?:inchi|inch|inches)\s*(\d{1,2})\b|\b(\d{1,2})(?:\.\d)?\s*(?:inchi|inches|inch)\b/],
  ['gb', /\b(\d{1,4})\s*gb\b|\bgb\s*(\d{1,4})\b/],
  ['age', /\b(?:miaka|umri wa miaka)\s*(\d{1,2})\b|\b(\d{1,2})\s*years?\b/],
];

export function readMeasures(text: string): Measure[] {
  return PATTERNS.flatMap(([unit, pattern]) => {
    const found = pattern.exec(text);
    const value = found?.slice(1).find((group) => group !== undefined);
    return value === undefined ? [] : [{ unit, value: Number(value) }];
  });
}
