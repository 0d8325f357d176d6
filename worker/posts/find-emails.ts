const LOCAL = '(?<![\\p{L}\\d._%+-])[\\p{L}\\d._%+-]{1,64}';
const LABEL = '[\\p{L}\\d-]{1,63}';
const PROVIDER = '(?:gmail|googlemail|yahoo|ymail|hotmail|outlook|icloud|protonmail)';
const SIGN = '(?:@|\\(at\\)|\\[at\\]|\\{at\\})';
/** After a spelt-out " at ", which is a common word, the dot must be spelt out, too, or a provider named. */
const DOT = '\\s{0,2}(?:\\.|\\(dot\\)|\\[dot\\]|\\{dot\\}|\\sdot\\s|\\snukta\\s)\\s{0,2}';
const SPELT_DOT = '\\s{0,2}(?:\\(dot\\)|\\[dot\\]|\\{dot\\}|\\sdot\\s|\\snukta\\s)\\s{0,2}';
const ENDING = '(?:com|net|org|info|edu|co|ac|go|or|me|io|tz|ke|ug)\\b';

/** For lower-case plain signs. Every part has a maximum length, so that the time is linear in the text's length. */
const EMAIL = new RegExp(
  [
    `${LOCAL}@${LABEL}(?:\\.${LABEL}){1,4}`,
    `${LOCAL}\\s{0,2}${SIGN}\\s{0,2}(?:${PROVIDER}\\b(?:${DOT}${ENDING}){0,2}|${LABEL}(?:${DOT}${ENDING}){1,3})`,
    `${LOCAL}\\s{1,2}at\\s{1,2}(?:${PROVIDER}\\b(?:${DOT}${ENDING}){0,2}|${LABEL}(?:${SPELT_DOT}${ENDING}){1,3})`,
  ].join('|'),
  'gu',
);

/** Every address contains one of these; texts without any, which are most, need not be searched. */
const SOME_SIGN = /@|[([{]at[)\]}]|\sat\s/;

/** The positions of e-mail addresses in a text of plain signs. */
export function findEmails(text: string): { start: number; end: number }[] {
  if (!SOME_SIGN.test(text)) return [];
  return [...text.matchAll(EMAIL)].map(({ 0: email, index }) => ({ start: index, end: index + email.length }));
}
