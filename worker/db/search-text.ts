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

export type SearchWords = {
  /** An FTS5 query in which every word is a quoted phrase, or null when no word is long enough for a trigram. */
  match: string | null;
  /** The words that the trigram index cannot see. */
  short: string[];
};

const TRIGRAM_CHARS = 3;

function isLong(text: string): boolean {
  return [...text].length >= TRIGRAM_CHARS;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Folded as a whole, and as parseSearch the query for it. */
export function parsePhrase(text: string): { phrase: string; match: string | null } {
  const phrase = foldText(text).split(WORD_BREAKS).filter(Boolean).join(' ');
  return { phrase, match: isLong(phrase) ? quote(phrase) : null };
}

/** The folded words of a search, each once. */
export function splitSearch(search: string): string[] {
  return [...new Set(foldText(search).split(WORD_BREAKS).filter(Boolean))];
}

/** Splits a search into words that must all be there; quotes, wildcards and operators in them are plain text. */
export function parseSearch(search: string): SearchWords {
  const words = splitSearch(search);
  const phrases = words.filter(isLong).map(quote);
  return {
    match: phrases.length > 0 ? phrases.join(' AND ') : null,
    short: words.filter((word) => !isLong(word)),
  };
}
