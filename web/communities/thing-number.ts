/** The digits of a label number: few enough to write by hand. */
const DIGITS = 6;

/** Returns the label number of an item in an office's cupboard. Depends on the post's id only, so it never changes. */
export function thingNumber(postId: string): string {
  let sum = 0;
  for (const letter of postId) sum = (sum * 31 + letter.charCodeAt(0)) % 10 ** DIGITS;
  const digits = String(sum).padStart(DIGITS, '0');
  return `${digits.slice(0, DIGITS / 2)} ${digits.slice(DIGITS / 2)}`;
}
