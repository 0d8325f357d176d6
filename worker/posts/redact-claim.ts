import { findDigitRuns } from './digit-runs.ts';
import { findEmails } from './find-emails.ts';
import type { PlainSigns } from './plain-signs.ts';
import { findNationalNumbers, hideContacts, hideParts, type Part, partOf } from './redact-text.ts';

const NUMBER_DIGITS_MIN = 9;

/** Words that people put between the parts of a number to disguise it. */
const FILLER = /^(?:na|and|then|kisha|halafu|alafu|ikifuatiwa|plus|dash|space|nukta|dot|kistari)$/;
/** Letters that are read as digits next to a digit. */
const READ_AS: Record<string, string> = { s: '5', b: '8' };
const BESIDE_DIGIT = /(?<=\d)[sb](?!\p{L})|(?<!\p{L})[sb](?=\d)/gu;

const NAME = '(?:[\\p{L}\\d-]{1,63}\\.){1,4}';
const LINK = new RegExp(
  [
    'https?:\\/\\/\\S+',
    'www\\.\\S+',
    `${NAME}(?:com|net|org|info|io|(?:co|or|ac|go|ne)\\.(?:tz|ke|ug))(?![\\p{L}\\d])(?:\\/\\S*)?`,
    `${NAME}[a-z]{2,6}\\/\\S+`,
  ].join('|'),
  'gu',
);

/**
 * Redacts a text of a claim, so that its two people cannot contact each other before the finder has decided. Stricter
 * than for visitors: it also hides links, and prices as long as a phone number.
 */
export function hideAnyContact(text: string): string {
  return hideContacts(
    hideParts(text, (signs) => [...findEmails(signs.text), ...findLinks(signs), ...findNumbers(signs)]),
  );
}

/** Every link contains one of these; texts without any, which are most, need not be searched. */
const SOME_LINK = /\.|:\/\//;

function findLinks({ text }: PlainSigns): Part[] {
  if (!SOME_LINK.test(text)) return [];
  return [...text.matchAll(LINK)].map(({ 0: link, index }) => ({ start: index, end: index + link.length }));
}

function findNumbers(typed: PlainSigns): Part[] {
  const signs = { ...typed, text: typed.text.replace(BESIDE_DIGIT, (letter) => READ_AS[letter] ?? letter) };
  const long = findDigitRuns(signs).filter((run) => run.length >= NUMBER_DIGITS_MIN);
  const parted = findDigitRuns(signs, (sign) => !/[\p{L}\d]/u.test(sign) || FILLER.test(sign));
  return [...long.map(partOf), ...parted.flatMap(findNationalNumbers)];
}
