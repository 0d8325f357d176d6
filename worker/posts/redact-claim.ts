import { findDigitRuns } from './digit-runs.ts';
import { findEmails } from './find-emails.ts';
import type { PlainSigns } from './plain-signs.ts';
import { findNationalNumbers, hideContacts, hideParts, type Part, partOf } from './redact-text.ts';

const NUMBER_DIGITS_MIN = 9;

/** What people put between the parts of a number that they do not want to be seen. */
const FILLER = /^(?:na|and|then|kisha|halafu|alafu|ikifuatiwa|plus|dash|space|nukta|dot|kistari)$/;
/** Letters that are read as the digit beside which they stand. */
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
 * A text of a claim without anything by which its two people could meet before the finder has decided. Stricter than what
 * visitors are shown: a price that is as long as a number is hidden too, and so is a link.
 */
export function hideAnyContact(text: string): string {
  return hideContacts(
    hideParts(text, (signs) => [...findEmails(signs.text), ...findLinks(signs), ...findNumbers(signs)]),
  );
}

function findLinks({ text }: PlainSigns): Part[] {
  return [...text.matchAll(LINK)].map(({ 0: link, index }) => ({ start: index, end: index + link.length }));
}

function findNumbers(typed: PlainSigns): Part[] {
  const signs = { ...typed, text: typed.text.replace(BESIDE_DIGIT, (letter) => READ_AS[letter] ?? letter) };
  const long = findDigitRuns(signs).filter((run) => run.length >= NUMBER_DIGITS_MIN);
  const parted = findDigitRuns(signs, (sign) => !/[\p{L}\d]/u.test(sign) || FILLER.test(sign));
  return [...long.map(partOf), ...parted.flatMap(findNationalNumbers)];
}
