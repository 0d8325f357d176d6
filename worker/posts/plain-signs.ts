/** A text with look-alike characters unified, and the position of each character in the typed text. */
export type PlainSigns = { text: string; starts: number[]; ends: number[] };

/** Characters without width, and combining marks; the last four are letters that are not drawn. */
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/u;
const DIGIT = /\p{Nd}/u;
/** Letters of other scripts that look like an o. */
const ROUND: Record<string, string> = { ο: 'o', о: 'o', օ: 'o' };

/** Lower case, with the digits of all scripts as 0 to 9, full-width characters as narrow ones, and no invisible ones. */
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
    // An invisible character belongs to the one before it.
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

/** Every script's digits are consecutive, from a code point whose last hex digit is 0 or 6. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const row = code & ~0xf;
  const zero = DIGIT.test(String.fromCodePoint(row)) ? row : row + 6;
  return String(code - zero);
}
