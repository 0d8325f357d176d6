import { type SQL, sql } from 'drizzle-orm';

/**
 * Condition: the folded text holds every one of the folded words. instr, not LIKE: a pattern may not be longer
 * than 50 bytes on D1, and % and _ are plain text here.
 */
export function containsAll(searchText: 'p.search_text' | 'c.search_text', words: string[]): SQL {
  if (words.length === 0) return sql`true`;
  return sql`not exists (
    select 1 from json_each(${JSON.stringify(words)}) w where instr(${sql.raw(searchText)}, w.value) = 0)`;
}
