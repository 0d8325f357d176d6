import { NUMBER, numberOf } from './spoken-numbers.ts';

export type Dimension =
  | 'litres'
  | 'kilograms'
  | 'metres'
  | 'watts'
  | 'volts'
  | 'milliampere-hours'
  | 'gigabytes'
  | 'years'
  | 'pages'
  | 'plates'
  | 'strings'
  | 'size';

/** A measurement of a thing or of its contents: a can of 20 litres, shoes of size 42, a calf of 3 months. */
export type Measure = {
  dimension: Dimension;
  /** In the dimension's unit: for the dimension `litres`, the value is a number of litres. */
  value: number;
  /** True after "about" or "kama" (about): other people may estimate a different value. */
  isRough: boolean;
};

type Unit = { dimension: Dimension; words: string; scale: number };

/**
 * English puts the number before the unit, Swahili after it. Each of these units is read in both orders, except `size`,
 * whose number must follow.
 */
const UNITS: readonly Unit[] = [
  { dimension: 'litres', words: 'litres?|liters?|ltrs?|lts?|lita', scale: 1 },
  { dimension: 'litres', words: 'ml|mls|mililita|millilitres?', scale: 0.001 },
  { dimension: 'kilograms', words: 'kgs?|kilos?|kilograms?|kilogramu', scale: 1 },
  { dimension: 'kilograms', words: 'grams?|gms?|gramu', scale: 0.001 },
  { dimension: 'kilograms', words: 'tons?|tonnes?|tani', scale: 1000 },
  { dimension: 'metres', words: 'metres?|meters?|mita', scale: 1 },
  { dimension: 'metres', words: 'cm|cms|sentimita|centimetres?|centimeters?', scale: 0.01 },
  { dimension: 'metres', words: 'mm|milimita|millimetres?', scale: 0.001 },
  { dimension: 'metres', words: 'feet|foot|ft|futi', scale: 0.3048 },
  { dimension: 'metres', words: 'inch|inches|inchi|inchs|nchi', scale: 0.0254 },
  { dimension: 'metres', words: 'yards?|yadi', scale: 0.9144 },
  { dimension: 'watts', words: 'watts?|wati', scale: 1 },
  { dimension: 'watts', words: 'kw|kilowatts?', scale: 1000 },
  { dimension: 'watts', words: 'hp|horsepower', scale: 746 },
  { dimension: 'volts', words: 'volts?|volti', scale: 1 },
  { dimension: 'milliampere-hours', words: 'mah', scale: 1 },
  { dimension: 'milliampere-hours', words: 'ah', scale: 1000 },
  { dimension: 'gigabytes', words: 'gb|gigabytes?|jibii', scale: 1 },
  { dimension: 'gigabytes', words: 'tb|terabytes?', scale: 1024 },
  { dimension: 'years', words: 'years?|yrs?|miaka|umri wa miaka', scale: 1 },
  { dimension: 'years', words: 'months?|miezi', scale: 1 / 12 },
  { dimension: 'years', words: 'weeks?|wiki', scale: 1 / 52 },
  { dimension: 'pages', words: 'pages?|kurasa', scale: 1 },
  { dimension: 'watts', words: 'kva', scale: 1000 },
  { dimension: 'plates', words: 'plates?|plati|burners?', scale: 1 },
  { dimension: 'strings', words: 'strings?|nyuzi', scale: 1 },
  { dimension: 'size', words: 'sizes?|saizi|namba|number|no\\.?', scale: 1 },
];
/** A single letter is a unit only after digits, with at most one space between them: 20L, 12 V. */
const LETTERS: readonly Unit[] = [
  { dimension: 'litres', words: 'l', scale: 1 },
  { dimension: 'kilograms', words: 'g', scale: 0.001 },
  { dimension: 'kilograms', words: 't', scale: 1000 },
  { dimension: 'metres', words: 'm', scale: 1 },
  { dimension: 'watts', words: 'w', scale: 1 },
  { dimension: 'volts', words: 'v', scale: 1 },
];
/** Words after a duration that turn the duration into a date: "three years ago", "wiki iliyopita" (last week). */
const WHEN = /^\s?(?:ago|iliyopita|zilizopita|lililopita|sasa|now|later|baadaye)/;
/** Words after a count that show that the counted parts are missing: "one string missing". */
const NOT_THERE =
  /^\s?(?:(?:is|are) )?(?:missing|broken|gone|snapped)|^\s?(?:(?:ume|zime)(?:katika|toka|potea)|ha(?:u|zi)po)/;
const ROUGH = /(?:about|around|roughly|approx|kama|karibu|takriban|yapata|hivi|nearly|almost|over|zaidi ya)\s?$/;
const LARGEST_SIZE = 60;
/** "Namba 42" is a shoe size, but "namba 7" is the number on a shirt. */
const SMALLEST_NUMBERED_SIZE = 20;
const LONGEST_NUMBER = 6;
/** The highest age in years. A longer time is not read as an age. */
const OLDEST = 150;

/** Sizes by letter, the smallest first. They are read only after the word "size" or "saizi". */
const SIZE_LETTERS = ['xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl'];
const SIZE_BY_LETTER = /\b(?:sizes?|saizi)\s?(?:ya|ni|:)?\s?(xs|s|m|l|xl|xxl|xxxl)\b/;
/** Added to the rank of a size letter, so that no letter equals a size in digits. */
const LETTER_BASE = 1000;

const PATTERNS = [
  ...UNITS.map((unit) => ({
    unit,
    cue: new RegExp(unit.words),
    pattern:
      unit.dimension === 'size'
        ? new RegExp(`\\b(?:${unit.words})\\s?(?:ya\\s|ni\\s|:\\s?)?(${NUMBER})(?![\\d/-])`, 'g')
        : new RegExp(
            `(?<![\\d/.-])(${NUMBER})\\s?-?\\s?(?:${unit.words})\\b|\\b(?:${unit.words})\\s?(?:za\\s|ya\\s|ni\\s)?(${NUMBER})(?![\\d/-])`,
            'g',
          ),
  })),
  ...LETTERS.map((unit) => ({
    unit,
    cue: /\d/,
    pattern: new RegExp(`(?<![\\d/.a-z-])(\\d+(?:\\.\\d+)?)\\s?${unit.words}\\b`, 'g'),
  })),
];

/** @param text in lower case, without accents. */
export function readMeasures(text: string): Measure[] {
  // `cue` skips the patterns of units that the text cannot contain. Most texts contain few units, and the patterns are
  // the slowest part of reading a post.
  const measures = PATTERNS.filter(({ cue }) => cue.test(text)).flatMap(({ unit, pattern }) =>
    [...text.matchAll(pattern)].flatMap((found) => {
      const said = found.slice(1).find((group) => group !== undefined) ?? '';
      return isMeasure(unit, said, text, found) ? [toMeasure(unit, said, text, found.index)] : [];
    }),
  );
  const letter = SIZE_BY_LETTER.exec(text)?.[1];
  if (letter === undefined) return measures;
  return [...measures, { dimension: 'size', value: LETTER_BASE + SIZE_LETTERS.indexOf(letter), isRough: false }];
}

function isMeasure(unit: Unit, said: string, text: string, found: RegExpExecArray): boolean {
  const value = numberOf(said);
  if (said.length > LONGEST_NUMBER && /^\d/.test(said)) return false;
  if (unit.dimension === 'size') {
    return value >= (/^(?:namba|n)/.test(found[0]) ? SMALLEST_NUMBERED_SIZE : 1) && value <= LARGEST_SIZE;
  }
  const after = text.slice(found.index + found[0].length);
  if (unit.dimension === 'strings' && NOT_THERE.test(after)) return false;
  return value > 0 && !(unit.dimension === 'years' && (value > OLDEST || WHEN.test(after)));
}

function toMeasure(unit: Unit, said: string, text: string, at: number): Measure {
  return { dimension: unit.dimension, value: numberOf(said) * unit.scale, isRough: ROUGH.test(text.slice(0, at)) };
}
