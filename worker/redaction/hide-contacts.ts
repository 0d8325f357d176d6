import { type DigitRun, findDigitRuns, mayHaveDigits, type PlainSigns, splitRun, toPlainSigns } from './digit-runs.ts';

/** Replaces hidden text. */
const HIDDEN = '•••';

const PHONE_DIGITS = { min: 9, max: 15 };
/** Matches a Tanzanian mobile number. */
const NATIONAL_NUMBER = /(?:(?:00)?255|0)[67]\d{8}/g;
const LONG_NUMBER_DIGITS = 6;
const SHOWN_DIGITS = 4;

const MONEY_BEFORE = /(?:\b(?:tzs|tshs?|t?shs?|ksh|kes|usd|shilingi)\.?|\$)\s*$/;
const MONEY_AFTER = /^\s*(?:\/=|\/-|(?:tzs|tshs?|shs?|shilingi|usd)\b)/;

/** A range of positions in `PlainSigns.text`. `end` is exclusive. */
export type Part = { start: number; end: number };

/** Hides what looks like a phone number or an e-mail address. */
export function hideContacts(text: string): string {
  const signs = toPlainSigns(text);
  const emails = findEmails(signs.text);
  if (emails.length > 0) return hideParts(hide(text, signs, emails), findPhones);
  return hide(text, signs, findPhones(signs));
}

/** Hides numbers with at least as many digits as a document's number. Their last digits stay visible. */
export function hideLongNumbers(text: string): string {
  const signs = toPlainSigns(text);
  if (!mayHaveDigits(signs, LONG_NUMBER_DIGITS)) return text;
  const runs = findDigitRuns(signs).filter((run) => run.length >= LONG_NUMBER_DIGITS && !isMoney(signs, run));
  const endings = new Map(runs.map((run) => [partOf(run), run.slice(-SHOWN_DIGITS)]));
  return replaceParts(text, signs, [...endings.keys()], (part) => HIDDEN + typedDigits(text, signs, endings.get(part)));
}

function findPhones(signs: PlainSigns): Part[] {
  if (!mayHaveDigits(signs, PHONE_DIGITS.min)) return [];
  const usual = findDigitRuns(signs)
    .flatMap(phonesOf)
    .filter((run) => !isMoney(signs, run))
    .map(partOf);
  const parted = findDigitRuns(signs, (sign) => !/[\p{L}\d:\n]/u.test(sign)).flatMap(findNationalNumbers);
  return [...usual, ...parted].map((part) => withSigns(signs, part));
}

/**
 * Returns the phone numbers in a run of digits. If a part between separators already has enough digits for a phone
 * number, the part is not joined with other parts.
 */
function phonesOf(run: DigitRun): DigitRun[] {
  if (run.length < PHONE_DIGITS.min) return [];
  const parts = splitRun(run);
  const at = parts.findIndex((part) => part.length >= PHONE_DIGITS.min);
  const [number] = parts.slice(at, at + 1);
  if (at < 0 || number === undefined) return [run];
  const isPhone = number.length <= PHONE_DIGITS.max;
  return [
    ...phonesOf(parts.slice(0, at).flat()),
    ...(isPhone ? [number] : []),
    ...phonesOf(parts.slice(at + 1).flat()),
  ];
}

/** Finds Tanzanian phone numbers in a run. A number must begin and end at a separator or at an end of the run. */
export function findNationalNumbers(run: DigitRun): Part[] {
  const parts = splitRun(run).map(partOf);
  return [
    ...run
      .map(({ value }) => value)
      .join('')
      .matchAll(NATIONAL_NUMBER),
  ].flatMap(({ 0: number, index }) => {
    const part = partOf(run.slice(index, index + number.length));
    const isWhole = parts.some(({ start }) => start === part.start) && parts.some(({ end }) => end === part.end);
    return isWhole ? [part] : [];
  });
}

/**
 * Whether the digits are a price. Digits that begin with 0 are never a price, because they may be a disguised phone
 * number.
 */
function isMoney({ text }: PlainSigns, run: DigitRun): boolean {
  const { start, end } = partOf(run);
  if (run[0]?.value === '0') return false;
  return MONEY_BEFORE.test(text.slice(0, start)) || MONEY_AFTER.test(text.slice(end));
}

export function partOf(run: DigitRun): Part {
  return { start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0 };
}

/**
 * Extends the range of a phone number to include a + before the number. Also includes an opening bracket before the
 * number, if its closing bracket is inside the number.
 */
function withSigns({ text }: PlainSigns, { start, end }: Part): Part {
  const isClosing = /^[^(]*\)/.test(text.slice(start, end));
  const [before = ''] = (isClosing ? /\+?\(?\+?$/ : /\+?$/).exec(text.slice(0, start)) ?? [];
  return { start: start - before.length, end };
}

/** Returns the digits as typed, with separators. Returns an empty text if any digit is written as a word. */
function typedDigits(text: string, signs: PlainSigns, digits: DigitRun = []): string {
  const areFigures = digits.every(({ start, end }) => /^\d$/.test(signs.text.slice(start, end)));
  return areFigures ? sliceTyped(text, signs, partOf(digits)) : '';
}

function sliceTyped(text: string, { starts, ends }: PlainSigns, { start, end }: Part): string {
  return text.slice(starts[start], ends[end - 1]);
}

export function hideParts(text: string, find: (signs: PlainSigns) => Part[]): string {
  const signs = toPlainSigns(text);
  return hide(text, signs, find(signs));
}

function hide(text: string, signs: PlainSigns, parts: Part[]): string {
  return replaceParts(text, signs, parts, () => HIDDEN);
}

/**
 * Replaces parts of a text.
 * @param parts may overlap.
 * @param replace returns the text that replaces a part.
 */
function replaceParts(text: string, { starts, ends }: PlainSigns, parts: Part[], replace: (part: Part) => string) {
  let shown = '';
  let from = 0;
  for (const part of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const [start, end] = [starts[part.start] ?? text.length, ends[part.end - 1] ?? 0];
    if (end <= from) continue;
    shown += start < from ? '' : text.slice(from, start) + replace(part);
    from = end;
  }
  return shown + text.slice(from);
}

const LOCAL = '(?<![\\p{L}\\d._%+-])[\\p{L}\\d._%+-]{1,64}';
const LABEL = '[\\p{L}\\d-]{1,63}';
const PROVIDER = '(?:gmail|googlemail|yahoo|ymail|hotmail|outlook|icloud|protonmail)';
const SIGN = '(?:@|\\(at\\)|\\[at\\]|\\{at\\})';
/** Matches the dot of an e-mail address, also if it is written as a word. */
const DOT = '\\s{0,2}(?:\\.|\\(dot\\)|\\[dot\\]|\\{dot\\}|\\sdot\\s|\\snukta\\s)\\s{0,2}';
/**
 * Matches a dot written as a word. The word " at " is common: it belongs to an e-mail address only if such a dot or a
 * mail provider follows.
 */
const SPELT_DOT = '\\s{0,2}(?:\\(dot\\)|\\[dot\\]|\\{dot\\}|\\sdot\\s|\\snukta\\s)\\s{0,2}';
const ENDING = '(?:com|net|org|info|edu|co|ac|go|or|me|io|tz|ke|ug)\\b';

/**
 * Matches an e-mail address in `PlainSigns.text`. Every part of the pattern has a maximum length, so that matching
 * takes linear time.
 */
const EMAIL = new RegExp(
  [
    `${LOCAL}@${LABEL}(?:\\.${LABEL}){1,4}`,
    `${LOCAL}\\s{0,2}${SIGN}\\s{0,2}(?:${PROVIDER}\\b(?:${DOT}${ENDING}){0,2}|${LABEL}(?:${DOT}${ENDING}){1,3})`,
    `${LOCAL}\\s{1,2}at\\s{1,2}(?:${PROVIDER}\\b(?:${DOT}${ENDING}){0,2}|${LABEL}(?:${SPELT_DOT}${ENDING}){1,3})`,
  ].join('|'),
  'gu',
);

/**
 * Every e-mail address contains one of these signs. Most texts contain none of them, so they are not searched further.
 */
const SOME_SIGN = /@|[([{]at[)\]}]|\sat\s/;

/** Finds the positions of e-mail addresses in `PlainSigns.text`. */
export function findEmails(text: string): { start: number; end: number }[] {
  if (!SOME_SIGN.test(text)) return [];
  return [...text.matchAll(EMAIL)].map(({ 0: email, index }) => ({ start: index, end: index + email.length }));
}
