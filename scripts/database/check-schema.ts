import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '#scripts/command/user-error.ts';
import type { LocalDatabase } from './local-database.ts';

/** All objects but SQLite's and D1's own, and the tables that a search index makes for itself. */
const READ_SCHEMA = `
  SELECT name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
  ORDER BY name`;

type SchemaRow = { name: string; sql: string };

/** @throws UserError if the database has a migration that the folder does not have. */
export async function assertKnownMigrations(db: LocalDatabase, folder: string): Promise<void> {
  const hasTable = await db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (!hasTable) return;
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const known = readdirSync(folder);
  if (results.some(({ name }) => !known.includes(name))) throw otherSchema();
}

/**
 * Compares the database with one that the migrations make now, because until the first release a migration is edited in place.
 * @throws UserError if they differ.
 */
export async function assertSchema(db: LocalDatabase, folder: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  using fresh = new DatabaseSync(':memory:');
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  for (const name of names.sort()) fresh.exec(readFileSync(join(folder, name), 'utf8'));
  const { results } = await db.prepare(READ_SCHEMA).all<SchemaRow>();
  if (normalize(results) !== normalize(fresh.prepare(READ_SCHEMA).all() as SchemaRow[])) throw otherSchema();
}

/** Without comments and line breaks, which D1 and SQLite store differently. */
function normalize(schema: SchemaRow[]): string {
  return schema.map(({ sql }) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ')).join('\n');
}

function otherSchema(): UserError {
  return new UserError(
    'The local database has the schema of another version of Patikana. ' +
      'Run "npm run dev -- --reset": the command deletes the local data and prepares it again.',
  );
}
