import type { PostKind } from '#contract/kinds.ts';
import type { MatchReason } from '#contract/posts.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { findDigitRuns, type PlainSigns } from './digit-runs.ts';
import {
  findEmails,
  findNationalNumbers,
  hideContacts,
  hideLongNumbers,
  hideParts,
  type Part,
  partOf,
} from './hide-contacts.ts';

/** The kinds of readers. Each kind sees the texts of a post redacted differently. */
export type Reader = 'author' | 'deciding_admin' | 'signed_in' | 'visitor';

/** Redacts a text: returns what a reader may see of it. */
type Redact = (text: string) => string;

export function readerOf({ author_id }: { author_id: string }, viewer: Viewer | null): Reader {
  if (viewer === null) return 'visitor';
  return viewer.userId === author_id ? 'author' : 'signed_in';
}

/**
 * Returns the function that redacts texts for a reader. Every text of a post is redacted before the text leaves the
 * Worker or is searched (docs/product.md V14 to V16). Authors, and platform admins who decide on the post, see
 * everything. All others see no document numbers. Visitors also see no phone numbers and e-mail addresses.
 * @param kind the post's kind. Null if the post is unknown: the text may then be about a document.
 */
export function redactFor(reader: Reader, kind: PostKind | null): Redact {
  if (reader === 'author' || reader === 'deciding_admin') return (text) => text;
  const hideNumbers: Redact = kind === null || kind === 'document' ? hideLongNumbers : (text) => text;
  return reader === 'visitor' ? (text) => hideNumbers(hideContacts(text)) : hideNumbers;
}

/** Redacts the reasons of a match, which may quote either post. */
export function redactReasons(reasons: MatchReason[], redact: Redact): MatchReason[] {
  return reasons.map(({ kind, en, sw }) => ({ kind, en: redact(en), sw: redact(sw) }));
}

const NUMBER_DIGITS_MIN = 9;

/** Matches words that people put between the parts of a number to disguise it. */
const FILLER = /^(?:na|and|then|kisha|halafu|alafu|ikifuatiwa|plus|dash|space|nukta|dot|kistari)$/;
/** Letters that people type for a digit next to other digits. */
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
 * Redacts a text of a claim, so that the two parties cannot contact each other before the finder has decided. Hides
 * phone numbers and e-mail addresses, and also links, and prices with as many digits as a phone number.
 */
export function hideAnyContact(text: string): string {
  return hideContacts(
    hideParts(text, (signs) => [...findEmails(signs.text), ...findLinks(signs), ...findNumbers(signs)]),
  );
}

/** Every link contains a dot or `://`. Most texts contain neither, so they are not searched further. */
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
