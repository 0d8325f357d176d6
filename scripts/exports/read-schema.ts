import type { Target } from './target.ts';

type SchemaPart = { type: 'table' | 'index' | 'trigger' | 'view'; name: string; sql: string };
export type Schema = { tables: SchemaPart[]; views: SchemaPart[]; searchIndexes: SchemaPart[]; others: SchemaPart[] };

// Without the internal tables of SQLite, of D1 and of the search indexes, which are created automatically.
const PARTS = `
  SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
  ORDER BY rowid`;

/** The database's schema, in the order of creation. */
export async function readSchema(target: Target): Promise<Schema> {
  const parts = await target.query<SchemaPart>(PARTS);
  const isSearchIndex = ({ sql }: SchemaPart) => /^CREATE VIRTUAL TABLE/i.test(sql);
  return {
    tables: parts.filter((part) => part.type === 'table' && !isSearchIndex(part)),
    views: parts.filter((part) => part.type === 'view'),
    searchIndexes: parts.filter(isSearchIndex),
    others: parts.filter((part) => part.type === 'index' || part.type === 'trigger'),
  };
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
