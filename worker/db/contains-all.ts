import { type SQL, sql } from 'drizzle-orm';

/**
 * Condition: the folded text holds every one of the folded words; none that is null does. instr, not LIKE: a pattern may not be longer
 * than 50 bytes on D1, and % and _ are plain text here.
 */
export function containsAll(searchText: 'c.search_text' | SQL, words: string[]): SQL {
  if (words.length === 0) return sql`true`;
  const text = typeof searchText === 'string' ? sql.raw(searchText) : searchText;
  return sql`not exists (
    select 1 from json_each(${JSON.stringify(words)}) w where not coalesce(instr(${text}, w.value), 0))`;
}
