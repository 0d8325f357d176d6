const MARKS = /\p{M}/gu;
/** What phones make of the apostrophe in "ng'ombe". */
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4`]/g;
/** Control characters part words too: no post holds one, and a NUL would end the index's query. */
const WORD_BREAKS = /[\s\p{Cc}]+/u;

/** The form in which search compares text: lower case, without diacritics, compatible letters and signs made one. */
export function foldText(text: string): string {
  return text.replace(APOSTROPHES, "'").normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ς', 'σ');
}

/** The folded fields, one a line, so that no word of a search can match across two of them. */
export function toSearchText(fields: readonly string[]): string {
  return fields.map((field) => foldText(field).replace(/\n/g, ' ')).join('\n');
}

const TRIGRAM_CHARS = 3;

/** The text as an FTS5 query: everything in it is plain text. */
export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Folded as a whole, with one space between its words. */
export function foldPhrase(text: string): string {
  return foldText(text).split(WORD_BREAKS).filter(Boolean).join(' ');
}

/** The folded words of a search, each once. */
export function splitSearch(search: string): string[] {
  return [...new Set(foldText(search).split(WORD_BREAKS).filter(Boolean))];
}

/** What the trigram indexes have of a text: nothing of one that is shorter. */
export function splitTrigrams(text: string): string[] {
  const letters = [...text];
  return letters.slice(TRIGRAM_CHARS - 1).map((_, at) => letters.slice(at, at + TRIGRAM_CHARS).join(''));
}

/** What stands between any two letters in the index of letters (`posts_letters_source`). */
const BETWEEN_LETTERS = '\u001f';

/** What the index of letters has of one letter or two side by side. */
export function toLetters(word: string): string {
  const letters = [...word].join(BETWEEN_LETTERS);
  return letters === word ? BETWEEN_LETTERS + word + BETWEEN_LETTERS : letters;
}
