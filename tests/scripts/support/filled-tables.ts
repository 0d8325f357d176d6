import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

export type Column = { name: string; type: string; notnull: number; pk: number };
type Row = Record<string, SQLInputValue>;

/** What rules, triggers and migrations ask of a value; every other column takes what fits its type. */
const BELIEVABLE: Record<string, (index: number) => SQLInputValue> = {
  is_valid: () => 1,
  is_suspended: () => 0,
  lacks_number: () => 0,
  is_found: (index) => Number(index % 3 === 1),
  approval_status: (index) => index % 3,
  posted_by: (index) => (index % 2 ? 'owner' : 'finder'),
  type: (index) => (index % 2 ? 'matching_post' : 'community_pending'),
  role: (index) => (index % 2 ? 'admin' : 'member'),
  language: (index) => (index % 2 ? 'sw' : 'en'),
  reasons: () => '[]',
  identifiers: () => '[]',
};

/** The tables of the app with their columns: neither the search indexes, which are made of them, nor SQLite's own. */
export function readTables(db: DatabaseSync): Map<string, Column[]> {
  const names = db
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  return new Map(names.map((name) => [name, db.prepare(`PRAGMA table_info("${name}")`).all() as Column[]]));
}

/** A row that goes with the rows of the same number in all other tables, so that what refers to one finds it. */
export function rowOf(columns: Column[], index: number): Row {
  return Object.fromEntries(columns.map((column) => [column.name, cellOf(column, index)]));
}

function cellOf({ name, type, notnull, pk }: Column, index: number): SQLInputValue {
  if (!notnull && !pk && index % 2 === 0) return null;
  const believable = BELIEVABLE[name]?.(index);
  if (believable !== undefined) return believable;
  return /int|real/i.test(type) ? index : `Asha ${index}: pochi, "funguo" na simu 👟`;
}

export function insertStatement(table: string, columns: Column[], how = 'INSERT'): string {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  return `${how} INTO "${table}" (${names}) VALUES (${columns.map(({ name }) => `:${name}`).join(', ')})`;
}

/** Rows in every table. Where a trigger has made one already, that one stays. */
export function fillTables(db: DatabaseSync, tables: Map<string, Column[]>, count: number): void {
  db.exec('PRAGMA foreign_keys = OFF');
  for (const [table, columns] of tables) {
    const insert = db.prepare(insertStatement(table, columns, 'INSERT OR IGNORE'));
    for (let index = 1; index <= count; index++) insert.run(rowOf(columns, index));
  }
  db.exec('PRAGMA foreign_keys = ON');
}
