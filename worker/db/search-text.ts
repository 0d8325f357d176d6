import { type SQL, sql } from 'drizzle-orm';

const MARKS = /\p{M}/gu;
/** Characters that phones insert instead of the apostrophe in "ng'ombe". */
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4`]/g;
/** White space and control characters separate the words of a search. A NUL inside a word would end the FTS5 query. */
const WORD_BREAKS = /[\s\p{Cc}]+/u;

/**
 * The form in which search compares text: lower case, without diacritics, with compatible characters unified (NFKD).
 */
export function foldText(text: string): string {
  return text.replace(APOSTROPHES, "'").normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ς', 'σ');
}

/** Returns the folded fields, one per line. The line breaks prevent a search word from matching across two fields. */
export function toSearchText(fields: readonly string[]): string {
  return fields.map((field) => foldText(field).replace(/\n/g, ' ')).join('\n');
}

const TRIGRAM_CHARS = 3;

/** Quotes the text for an FTS5 query, so that no character has a special meaning. */
export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** The folded text with single spaces between its words. */
export function foldPhrase(text: string): string {
  return foldText(text).split(WORD_BREAKS).filter(Boolean).join(' ');
}

/** Returns the folded words of a search without duplicates. */
export function splitSearch(search: string): string[] {
  return [...new Set(foldText(search).split(WORD_BREAKS).filter(Boolean))];
}

/** Returns the text's trigrams, as in the trigram indexes; none for a text of fewer than three characters. */
export function splitTrigrams(text: string): string[] {
  const letters = [...text];
  return letters.slice(TRIGRAM_CHARS - 1).map((_, at) => letters.slice(at, at + TRIGRAM_CHARS).join(''));
}

/**
 * Condition: the folded text contains all of the folded words. A null text contains none. The condition uses instr,
 * because LIKE patterns are limited to 50 bytes on D1, and % and _ would be special.
 */
export function containsAll(searchText: 'c.search_text' | SQL, words: string[]): SQL {
  if (words.length === 0) return sql`true`;
  const text = typeof searchText === 'string' ? sql.raw(searchText) : searchText;
  return sql`not exists (
    select 1 from json_each(${JSON.stringify(words)}) w where not coalesce(instr(${text}, w.value), 0))`;
}
