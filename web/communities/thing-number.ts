/** How many digits a label number has. Six digits are few enough to write by hand. */
const DIGITS = 6;

/**
 * Returns the label number of a thing: an office writes the number on each thing in its lost-property cupboard. The
 * number depends on the post's id only, so it never changes.
 */
export function thingNumber(postId: string): string {
  let sum = 0;
  for (const letter of postId) sum = (sum * 31 + letter.charCodeAt(0)) % 10 ** DIGITS;
  const digits = String(sum).padStart(DIGITS, '0');
  return `${digits.slice(0, DIGITS / 2)} ${digits.slice(DIGITS / 2)}`;
}
