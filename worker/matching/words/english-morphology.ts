/** What makes a plural, and the fewest letters that must be left of a word for it to be one. */
const PLURALS = [
  { ending: 's', singular: '', shortestStem: 3 },
  { ending: 'es', singular: '', shortestStem: 3 },
  { ending: 'ies', singular: 'y', shortestStem: 2 },
  { ending: 'ves', singular: 'f', shortestStem: 2 },
  { ending: 'ves', singular: 'fe', shortestStem: 2 },
] as const;

/** The singular forms that a written English word may stand for. */
export function singularForms(word: string): string[] {
  return PLURALS.flatMap(({ ending, singular, shortestStem }) => {
    const stem = word.slice(0, -ending.length);
    const isPlural = word.endsWith(ending) && !word.endsWith('ss') && stem.length >= shortestStem;
    return isPlural ? [stem + singular] : [];
  });
}
