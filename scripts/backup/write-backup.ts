import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '#scripts/command/user-error.ts';
import { FOOT_LINE, headLine } from './backup-file.ts';
import { mendLineBreaks } from './mend-line-breaks.ts';
import { quoteName, quoteText, readSchema, type Schema } from './read-schema.ts';
import type { Target } from './target.ts';

/** Writes the whole database into a new SQL file that can be loaded into an empty SQLite database. */
export async function writeBackup(target: Target, file: string): Promise<void> {
  if (existsSync(file)) throw new UserError(`${file} exists already.`);
  const schema = await readSchema(target);
  if (schema.tables.length === 0) throw new UserError('There is nothing to back up: the database has no tables.');
  const [latest] = await target.query<{ name: string }>('SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1');
  if (!latest) throw new UserError('The database knows no migration of its own.');
  const folder = mkdtempSync(join(tmpdir(), 'patikana-backup-'));
  try {
    const rows = join(folder, 'rows.sql');
    const tables = schema.tables.map(({ name }) => name);
    await target.exportRows(tables, rows);
    const afterRows = [...(await mendLineBreaks(target, tables)), ...(await countUp(target)), ...finish(schema)];
    mkdirSync(dirname(file), { recursive: true });
    // An interrupted file must not look like a backup.
    const unfinished = `${file}.unfinished`;
    await pipeline(
      async function* () {
        yield headLine({ migration: latest.name, madeAt: new Date().toISOString() });
        yield ['PRAGMA defer_foreign_keys = TRUE;', ...schema.tables.map(({ sql }) => `${sql};`), ''].join('\n');
        yield* createReadStream(rows);
        yield ['', ...afterRows, FOOT_LINE].join('\n');
      },
      createWriteStream(unfinished, { mode: 0o600 }),
    );
    renameSync(unfinished, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sets the autoincrement values, so that the numbers of deleted rows are not reused. */
async function countUp(target: Target): Promise<string[]> {
  const sequences = await target.query<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence');
  const rows = sequences.map(({ name, seq }) => `(${quoteText(name)}, ${seq})`);
  return ['DELETE FROM sqlite_sequence;', `INSERT INTO sqlite_sequence (name, seq) VALUES ${rows.join(', ')};`];
}

/** Views first, as search indexes may be over them. Triggers last, as the rows already contain their effects. */
function finish({ views, searchIndexes, others }: Schema): string[] {
  const rebuilds = searchIndexes.map(
    ({ name }) => `INSERT INTO ${quoteName(name)} (${quoteName(name)}) VALUES ('rebuild');`,
  );
  return [
    ...[...views, ...searchIndexes].map(({ sql }) => `${sql};`),
    ...rebuilds,
    ...others.map(({ sql }) => `${sql};`),
  ];
}
