/** As many digits as are quickly written on a label. */
const DIGITS = 6;

/**
 * The number that is put on a thing in an office's cupboard. It is made of the post's id alone, so that it is the same
 * on every list and phone, whatever else was returned or deleted meanwhile.
 */
export function thingNumber(postId: string): string {
  let sum = 0;
  for (const letter of postId) sum = (sum * 31 + letter.charCodeAt(0)) % 10 ** DIGITS;
  const digits = String(sum).padStart(DIGITS, '0');
  return `${digits.slice(0, DIGITS / 2)} ${digits.slice(DIGITS / 2)}`;
}
