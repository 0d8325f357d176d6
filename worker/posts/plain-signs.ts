/** A text in signs that can be told apart, and where each of them stands in the text as it was typed. */
export type PlainSigns = { text: string; starts: number[]; ends: number[] };

/** Of no width, or part of the sign before; the last are letters that are not drawn. */
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/u;
const DIGIT = /\p{Nd}/u;
/** Letters of other scripts that look like the o. */
const ROUND: Record<string, string> = { ο: 'o', о: 'o', օ: 'o' };

/** Small letters, digits of all scripts as ours, signs of full width as narrow ones, and nothing that is not seen. */
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
    // What is not seen goes with the sign before it.
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

/** Every script's digits stand in a row, from a code point that ends in 0 or 6. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const row = code & ~0xf;
  const zero = DIGIT.test(String.fromCodePoint(row)) ? row : row + 6;
  return String(code - zero);
}
