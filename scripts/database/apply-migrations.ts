import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalDatabase } from './local-database.ts';

// The table of `wrangler d1 migrations apply`, so that either may apply the next migration.
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS d1_migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
  )`;

/**
 * Applies the missing migrations in order, each in one transaction with its record.
 * @param last the name of the last one to apply; by default all are.
 */
export async function applyMigrations(db: LocalDatabase, folder: string, last?: string): Promise<void> {
  await db.prepare(CREATE_TABLE).run();
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const missing = listMigrations(folder).filter((name) => !applied.has(name) && (last === undefined || name <= last));
  if (missing.length === 0) return;
  // Wrangler's splitter supports triggers. Importing it takes a second, so it is loaded on demand.
  const { unstable_splitSqlQuery: splitSql } = await import('wrangler');
  for (const name of missing) {
    const statements = splitSql(readFileSync(join(folder, name), 'utf8'));
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
}

function listMigrations(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}
