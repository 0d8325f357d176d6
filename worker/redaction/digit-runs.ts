/** A digit in a text, in any spelling: "7", "seven", "saba". */
type Digit = {
  value: string;
  /** The digit's position in `PlainSigns.text`. */
  start: number;
  end: number;
  /** Whether the digit is typed as a letter that looks like a digit, such as O for 0. */
  isLetter: boolean;
};
/** A run of digits, as in "0712 345 678". Only separators and the word "and" may be between the digits. */
export type DigitRun = Digit[];

const WORDS: Record<string, string> = {
  sifuri: '0',
  moja: '1',
  mbili: '2',
  tatu: '3',
  nne: '4',
  tano: '5',
  sita: '6',
  saba: '7',
  nane: '8',
  tisa: '9',
  zero: '0',
  oh: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
};
/** Marks a digit whose value is unknown. For example, "double two" counts as two digits, the first of them unknown. */
const SOME_DIGIT = '?';
const TENS =
  'kumi|ishirini|thelathini|arobaini|arubaini|hamsini|sitini|sabini|themanini|tisini|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|double';
const SPELT = new RegExp(`${Object.keys(WORDS).join('|')}|${TENS}`, 'g');
const ALL_SPELT = new RegExp(`^(?:${SPELT.source})+$`);
/** Letters that people type for the digits 0 and 1. */
const LOOK_ALIKE: Record<string, string> = { o: '0', i: '1', l: '1' };
const ALL_LOOK_ALIKE = /^[oil]{1,2}$/;
/** Matches "na" and "and", which occur inside a number, as in "thelathini na nne" (34). */
const AND = /^(?:na|and)$/;

/** Matches anything that may be one or two digits of a number. */
const DIGIT_LIKE = new RegExp(`\\d|${SPELT.source}|(?<!\\p{L})[oil]{1,2}(?!\\p{L})`, 'gu');

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
const YEAR = '(?:19|20)\\d\\d';
/** Matches "12.05.2024", "2024-05-12" and "2019-2023", unless a separator joins further digits to either end. */
const DATE = new RegExp(
  [
    `(?<!\\d)${DAY}(?<s>[-./ ])(?<!\\d\\k<s>\\d{1,2}\\k<s>)${MONTH}\\k<s>${YEAR}(?!\\d|\\k<s>\\d)`,
    `(?<!\\d)${YEAR}(?<t>[-./ ])(?<!\\d\\k<t>\\d{4}\\k<t>)${MONTH}\\k<t>${DAY}(?!\\d|\\k<t>\\d)`,
    `(?<!\\d|\\d[-/ ])${YEAR} ?[-/] ?${YEAR}(?!\\d| ?[-/ ]\\d)`,
  ].join('|'),
  'g',
);

const TOKEN = /\p{L}+|\d|[^\p{L}\d]/gu;
/** Characters that people put between the digits of a number. */
const SEPARATOR = /^[\s.\p{Pd}\u2212()[\]{}+]$/u;

/** Whether the text may contain this many digits. The test is quick and excludes most texts. */
export function mayHaveDigits({ text }: PlainSigns, count: number): boolean {
  return 2 * (text.match(DIGIT_LIKE)?.length ?? 0) >= count;
}

/** Finds all runs of digits. @param isSeparator which characters may interrupt a run. */
export function findDigitRuns({ text }: PlainSigns, isSeparator = isUsualSeparator): DigitRun[] {
  const runs: DigitRun[] = [];
  let run: DigitRun = [];
  for (const { 0: token, index } of text.replace(DATE, blank).matchAll(TOKEN)) {
    const digits = toDigits(token, index);
    if (digits.length > 0) run.push(...digits);
    else if (!isSeparator(token) && !AND.test(token)) {
      runs.push(run);
      run = [];
    }
  }
  return [...runs, run].map(dropLetters).filter((digits) => digits.length > 0);
}

/** Splits a run into the parts between its separators. */
export function splitRun(run: DigitRun): DigitRun[] {
  const parts: DigitRun[] = [];
  for (const [index, digit] of run.entries()) {
    if (isJoined(run[index - 1], digit)) parts.at(-1)?.push(digit);
    else parts.push([digit]);
  }
  return parts;
}

function toDigits(token: string, at: number): Digit[] {
  if (/^\d$/.test(token)) return [{ value: token, start: at, end: at + 1, isLetter: false }];
  if (ALL_LOOK_ALIKE.test(token)) {
    return [...token].map((letter, index) => {
      return { value: LOOK_ALIKE[letter] ?? SOME_DIGIT, start: at + index, end: at + index + 1, isLetter: true };
    });
  }
  if (!ALL_SPELT.test(token)) return [];
  return [...token.matchAll(SPELT)].map(({ 0: word, index }) => {
    return { value: WORDS[word] ?? SOME_DIGIT, start: at + index, end: at + index + word.length, isLetter: false };
  });
}

/**
 * Drops letters that look like digits from the ends of a run. Keeps such a letter if it touches another digit, as in
 * "O712 345 678".
 */
function dropLetters(run: DigitRun): DigitRun {
  const first = run.findIndex((digit, index) => !digit.isLetter || isJoined(digit, run[index + 1]));
  const last = run.findLastIndex((digit, index) => !digit.isLetter || isJoined(run[index - 1], digit));
  return first < 0 ? [] : run.slice(first, last + 1);
}

function isJoined(left: Digit | undefined, right: Digit | undefined): boolean {
  return left !== undefined && left.end === right?.start;
}

function isUsualSeparator(sign: string): boolean {
  return SEPARATOR.test(sign);
}

/**
 * Replaces a date by as many colons as it has characters. Positions in the text stay the same, and the digits before
 * and after the date are not joined.
 */
function blank(date: string): string {
  return ':'.repeat(date.length);
}

/** A normalised text (`toPlainSigns`), with the positions of its characters in the typed text. */
export type PlainSigns = { text: string; starts: number[]; ends: number[] };

/** Matches characters without width, and combining marks. The last four are letters that have no visible shape. */
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/u;
const DIGIT = /\p{Nd}/u;
/** Letters of other scripts that look like a Latin o. */
const ROUND: Record<string, string> = { ο: 'o', о: 'o', օ: 'o' };

/** Normalises a text: lower case, all digits as 0 to 9, letters in their usual width, no invisible characters. */
export function toPlainSigns(typed: string): PlainSigns {
  const signs: PlainSigns = { text: '', starts: [], ends: [] };
  let at = 0;
  for (const sign of typed) {
    const plain = toPlain(sign);
    for (let index = 0; index < plain.length; index++) {
      signs.starts.push(at);
      signs.ends.push(at + sign.length);
    }
    signs.text += plain;
    at += sign.length;
    // An invisible character counts as a part of the character before it.
    if (plain === '' && signs.ends.length > 0) signs.ends[signs.ends.length - 1] = at;
  }
  return signs;
}

function toPlain(sign: string): string {
  if (sign < '\u0080') return sign.toLowerCase();
  if (UNSEEN.test(sign)) return '';
  const [compatible = '', ...others] = sign.normalize('NFKD').toLowerCase();
  const first = DIGIT.test(compatible) ? digitOf(compatible) : (ROUND[compatible] ?? compatible);
  return first + others.filter((other) => !UNSEEN.test(other)).join('');
}

/**
 * Returns the value of a digit in any script. The ten digits of a script are consecutive, and the code point of its 0
 * ends with hex 0 or 6.
 */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const row = code & ~0xf;
  const zero = DIGIT.test(String.fromCodePoint(row)) ? row : row + 6;
  return String(code - zero);
}
