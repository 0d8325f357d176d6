const SEPARATORS = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069().-]/g;

/** Removes what people and address books put between digits (spaces, dashes, direction marks), as in `0712 345-678`. */
export function stripPhoneSeparators(typed: string): string {
  return typed.replace(SEPARATORS, '');
}

/**
 * Normalises an account's number (docs/product.md A2): a leading 0 becomes +255, a number starting with + is kept,
 * anything else gets a + before it.
 */
export function normaliseAccountPhone(typed: string): string {
  const number = stripPhoneSeparators(typed);
  if (number.startsWith('0')) return `+255${number.slice(1)}`;
  return number.startsWith('+') ? number : `+${number}`;
}
