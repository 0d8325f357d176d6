import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { UserError } from '#scripts/command/user-error.ts';
import { readHead } from './backup-file.ts';
import { quoteName, type Schema } from './read-schema.ts';
import type { Target } from './target.ts';

/** Fails, before anything is changed, if the file is not a complete backup or is newer than this checkout. */
export function checkBackup(file: string): void {
  const { migration } = readHead(file);
  if (!existsSync(join(PROJECT_ROOT, 'migrations', migration)))
    throw new UserError(`${file} was made by a later version: ${migration} is unknown to this one.`);
}

/** Replaces the whole content of the database by the backup, in one transaction, and applies later migrations. */
export async function restoreBackup(target: Target, schema: Schema, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'patikana-restore-'));
  try {
    const statements = join(folder, 'restore.sql');
    await pipeline(
      async function* () {
        yield dropAll(schema).join('\n');
        yield* createReadStream(file);
      },
      createWriteStream(statements, { mode: 0o600 }),
    );
    await target.runFile(statements);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await target.migrate();
}

/** Tables whose rows are created by migrations, so that they may be non-empty in a database without data. */
const WITHOUT_DATA = ['d1_migrations', 'heartbeats', 'tallies'];

export async function hasData(target: Target, { tables }: Schema): Promise<boolean> {
  const filled = tables
    .filter(({ name }) => !WITHOUT_DATA.includes(name))
    .map(({ name }) => `EXISTS (SELECT 1 FROM ${quoteName(name)})`);
  const [row] = await target.query<{ has_data: number }>(`SELECT ${filled.join(' OR ') || 0} AS has_data`);
  return row?.has_data === 1;
}

/** Drops tables before those that they refer to, so that SQLite need not look for orphaned rows. */
function dropAll({ tables, views, searchIndexes, others }: Schema): string[] {
  const references = (sql: string) => sql.split(/\bREFERENCES\b/i).length;
  const inOrder = tables.toSorted((left, right) => references(right.sql) - references(left.sql));
  return [
    'PRAGMA defer_foreign_keys = TRUE;',
    ...[...others, ...views].map(({ type, name }) => `DROP ${type.toUpperCase()} ${quoteName(name)};`),
    ...[...searchIndexes, ...inOrder].map(({ name }) => `DROP TABLE ${quoteName(name)};`),
    '',
  ];
}
