import { type SQL, sql } from 'drizzle-orm';

/**
 * Condition: the folded text contains all of the folded words; null contains none. It uses instr instead of LIKE, whose
 * patterns are limited to 50 bytes on D1, and where % and _ would be special.
 */
export function containsAll(searchText: 'c.search_text' | SQL, words: string[]): SQL {
  if (words.length === 0) return sql`true`;
  const text = typeof searchText === 'string' ? sql.raw(searchText) : searchText;
  return sql`not exists (
    select 1 from json_each(${JSON.stringify(words)}) w where not coalesce(instr(${text}, w.value), 0))`;
}
