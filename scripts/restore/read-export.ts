import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { PROJECT_ROOT, UserError } from '#scripts/command/command.ts';
import { applyMigrations, type LocalDatabase, withLocalDatabase } from '#scripts/database/local-database.ts';
import { prepareStateFolder } from '#scripts/dev/options.ts';
import {
  ERASED_KEY,
  type Erased,
  erasedSchema,
  MANIFEST,
  type Manifest,
  manifestSchema,
} from '#worker/exports/manifest.ts';
import { localTarget, quoteName, quoteText, readSchema, type Target } from './target.ts';

type Row = Record<string, string | number | null>;

/** A folder with an export that the Worker wrote. */
type Export = {
  manifest: Manifest;
  erased: Erased;
  /** Yields the rows of the table, one file of the export at a time. */
  readPieces(table: string): Generator<Row[]>;
};

/**
 * Reads an export and checks it before anything is changed.
 * @throws UserError if the export is incomplete, corrupted or of a later version.
 */
export function readExport(folder: string): Export {
  const manifest = readManifest(folder);
  const erased = parse(erasedSchema, folder, ERASED_KEY);
  if (!existsSync(join(PROJECT_ROOT, 'migrations', manifest.migration)))
    throw new UserError(`${folder} was made by a later version: ${manifest.migration} is unknown to this one.`);
  const piecesOf = (table: string) => manifest.tables.find(({ name }) => name === table)?.pieces ?? [];
  for (const { name } of manifest.tables) for (const piece of piecesOf(name)) readPiece(folder, piece);
  return {
    manifest,
    erased,
    *readPieces(table) {
      for (const piece of piecesOf(table)) yield readPiece(folder, piece);
    },
  };
}

export function readManifest(folder: string): Manifest {
  return parse(manifestSchema, folder, MANIFEST);
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, folder: string, name: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch {
    throw new UserError(`${folder} is no whole export: ${name} is missing or broken.`);
  }
}

type Piece = Manifest['tables'][number]['pieces'][number];

/** Checks the hash of one file of the export, and parses the file's lines. */
function readPiece(folder: string, { file, sha256 }: Piece): Row[] {
  const path = join(folder, file);
  if (!existsSync(path)) throw new UserError(`${folder} is not whole: ${file} is missing.`);
  const bytes = readFileSync(path);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new UserError(`${file} is not as it was written: its SHA-256 is another.`);
  const lines = bytes.toString('utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
}

/**
 * Loads an export into a new local database with the tables of the export's version. Then applies the later migrations
 * and erases the accounts that were erased after the export. Prints how many rows were omitted and how many accounts
 * were erased.
 */
export async function withRestored(
  exported: Export,
  stateFolder: string,
  use: (restored: Target) => Promise<void>,
): Promise<void> {
  const migrations = join(PROJECT_ROOT, 'migrations');
  prepareStateFolder(stateFolder);
  // Lets Node import text files, because the Worker's code, which the next line loads, imports some.
  await import('#scripts/lexicon/register-text-modules.ts');
  const { catchUp } = await import('./catch-up.ts');
  await withLocalDatabase(stateFolder, async (db) => {
    await applyMigrations(db, migrations, exported.manifest.migration);
    const leftOut = await loadExport(db, exported);
    await applyMigrations(db, migrations);
    const erased = await catchUp(db, exported.erased);
    for (const [table, count] of leftOut)
      console.log(`${table}: ${count} rows are left out, without what they refer to.`);
    console.log(`Accounts erased since, and now again: ${erased}. Everybody has to sign in again.`);
    await use(localTarget(db));
  });
}

type Reference = { from: string; table: string; to: string };

const ROWS_AT_ONCE = 200;

/** The references for which the schema has no foreign key. A row is omitted if the row that it refers to is missing. */
const REFERENCES: Readonly<Record<string, readonly Reference[]>> = {
  claim_reports: [{ from: 'claim_id', table: 'claims', to: 'id' }],
  claim_steps: [{ from: 'claim_id', table: 'claims', to: 'id' }],
  community_removals: [{ from: 'community_id', table: 'communities', to: 'id' }],
  join_requests: [{ from: 'community_id', table: 'communities', to: 'id' }],
  match_answers: [{ from: 'pair_id', table: 'match_pairs', to: 'id' }],
  match_pairs: [
    { from: 'lost_post_id', table: 'posts', to: 'id' },
    { from: 'found_post_id', table: 'posts', to: 'id' },
  ],
  photos: [{ from: 'post_id', table: 'posts', to: 'id' }],
};

/**
 * Loads the rows into an empty database with the export's own schema. The app changed rows while the export read one
 * table after the other. A row that refers to a missing row is therefore omitted. Of two rows that conflict, the one
 * that the export read later is stored.
 * @returns how many rows were omitted, by table.
 */
async function loadExport(db: LocalDatabase, { manifest, readPieces }: Export): Promise<Map<string, number>> {
  const { searchIndexes, others } = await readSchema(localTarget(db));
  const triggers = others.filter(({ type }) => type === 'trigger');
  const leftOut = new Map<string, number>();
  // Drops the triggers before the rows are inserted, because the rows already contain the triggers' effects.
  await db.batch(triggers.map(({ name }) => db.prepare(`DROP TRIGGER ${quoteName(name)}`)));
  // Inserts the tables in reverse order. In the export, a table comes before the tables that it refers to, but the rows
  // that a row refers to must be inserted first.
  for (const { name, rows } of manifest.tables.toReversed()) {
    const references = [...(REFERENCES[name] ?? []), ...(await foreignKeysOf(db, name))];
    for (const piece of readPieces(name))
      for (let first = 0; first < piece.length; first += ROWS_AT_ONCE)
        await insertRows(db, name, references, piece.slice(first, first + ROWS_AT_ONCE));
    const stored = (await db.prepare(`SELECT count(*) AS count FROM ${quoteName(name)}`).first<number>('count')) ?? 0;
    if (stored < rows) leftOut.set(name, rows - stored);
  }
  await db.batch(
    [
      ...recount(manifest.sequences),
      ...searchIndexes.map(({ name }) => `INSERT INTO ${quoteName(name)} (${quoteName(name)}) VALUES ('rebuild')`),
      ...triggers.map(({ sql }) => sql),
    ].map((statement) => db.prepare(statement)),
  );
  return leftOut;
}

async function foreignKeysOf(db: LocalDatabase, table: string): Promise<Reference[]> {
  const keys = `SELECT "from", "table", "to" FROM pragma_foreign_key_list(${quoteText(table)})`;
  return (await db.prepare(keys).all<Reference>()).results;
}

async function insertRows(db: LocalDatabase, table: string, references: Reference[], rows: Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const place = (column: string) => `?${columns.indexOf(column) + 1}`;
  const conditions = references.map(
    ({ from, table: other, to }) =>
      `(${place(from)} IS NULL OR EXISTS (SELECT 1 FROM ${quoteName(other)} WHERE ${quoteName(to)} = ${place(from)}))`,
  );
  const insert = db.prepare(
    `INSERT OR REPLACE INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')})
     SELECT ${columns.map(place).join(', ')} WHERE ${['TRUE', ...conditions].join(' AND ')}`,
  );
  await db.batch(rows.map((row) => insert.bind(...columns.map((column) => row[column] ?? null))));
}

/** Returns statements that recompute the counts that triggers maintain, and set the next autoincrement values. */
function recount(sequences: Record<string, number>): string[] {
  const exported = Object.entries(sequences).filter(([name]) => name !== 'd1_migrations');
  return [
    'UPDATE communities SET member_count = (SELECT count(*) FROM memberships WHERE community_id = communities.id)',
    ...exported.flatMap(([name, seq]) => [
      `DELETE FROM sqlite_sequence WHERE name = ${quoteText(name)}`,
      `INSERT INTO sqlite_sequence (name, seq) VALUES (${quoteText(name)}, ${seq})`,
    ]),
  ];
}
