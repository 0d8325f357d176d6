import { IDENTIFIER_MAX_CHARS, IDENTIFIER_MIN_CHARS, IDENTIFIER_MIN_DIGITS } from './limits.ts';

/** Letters that are easily mistaken for a digit, with that digit. */
const READ_AS: Record<string, string> = { O: '0', I: '1', S: '5', B: '8' };

/** Returns the form in which serial, document and plate numbers are compared, independent of how they were typed. */
export function foldIdentifier(typed: string): string {
  return typed
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[^A-Z0-9]/g, '')
    .replace(/[OISB]/g, (letter) => READ_AS[letter] ?? letter);
}

/** Whether the text is long enough, and has enough digits, to be an identifier and not a word. */
export function isIdentifier(typed: string): boolean {
  const folded = foldIdentifier(typed);
  const digits = folded.replace(/\D/g, '').length;
  return (
    folded.length >= IDENTIFIER_MIN_CHARS && folded.length <= IDENTIFIER_MAX_CHARS && digits >= IDENTIFIER_MIN_DIGITS
  );
}

const SEPARATORS = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069().-]/g;

/** Removes spaces, dashes and direction marks, which people and address books put into phone numbers. */
export function stripPhoneSeparators(typed: string): string {
  return typed.replace(SEPARATORS, '');
}

/** Normalises an account's phone number (docs/product.md A2): a leading 0 becomes +255, other digits get a +. */
export function normaliseAccountPhone(typed: string): string {
  const number = stripPhoneSeparators(typed);
  if (number.startsWith('0')) return `+255${number.slice(1)}`;
  return number.startsWith('+') ? number : `+${number}`;
}
