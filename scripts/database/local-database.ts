import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { PROJECT_ROOT, UserError } from '#scripts/command/command.ts';

export type LocalDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;
export type LocalBucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>;

/**
 * Opens the D1 database of `wrangler dev --persist-to FOLDER` in this process, because each wrangler command takes
 * seconds. Works while the app is running on the same folder.
 */
export function withLocalDatabase<Result>(
  stateFolder: string,
  use: (db: LocalDatabase) => Promise<Result>,
): Promise<Result> {
  const d1Databases = { DB: readName('database_id') };
  return withPlatform(stateFolder, { d1Databases }, async (platform) => use(await platform.getD1Database('DB')));
}

/** Opens a bucket of `wrangler dev --persist-to FOLDER` in this process. */
export function withLocalBucket<Result>(
  stateFolder: string,
  binding: 'PHOTOS' | 'BACKUPS',
  use: (bucket: LocalBucket) => Promise<Result>,
): Promise<Result> {
  const r2Buckets = { [binding]: bucketName(binding) };
  return withPlatform(stateFolder, { r2Buckets }, async (platform) => use(await platform.getR2Bucket(binding)));
}

async function withPlatform<Result>(
  stateFolder: string,
  resources: { d1Databases?: Record<string, string>; r2Buckets?: Record<string, string> },
  use: (platform: Miniflare) => Promise<Result>,
): Promise<Result> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: '',
      // Prevents a network request that Miniflare would send to find out the machine's location.
      cf: false,
      ...resources,
      resourcePersistencePath: resourceFolder(stateFolder),
    }),
  );
  try {
    return await use(miniflare);
  } finally {
    await miniflare.dispose();
  }
}

/** Requires a database in the folder. @throws UserError if there is none. */
export function assertDatabase(stateFolder: string): void {
  if (!existsSync(join(resourceFolder(stateFolder), 'd1')))
    throw new UserError(`There is no database in ${stateFolder} yet: npm run dev makes it.`);
}

/** Deletes the local database, buckets, Durable Objects and queues, but no other file in the folder. */
export function deleteState(stateFolder: string): void {
  rmSync(resourceFolder(stateFolder), { recursive: true, force: true });
}

/** Returns the folder in which wrangler stores local resources below `--persist-to`. */
function resourceFolder(stateFolder: string): string {
  return join(stateFolder, 'v3');
}

/** Returns the bucket's name from wrangler.toml. */
export function bucketName(binding: 'PHOTOS' | 'BACKUPS'): string {
  return readName(`binding = "${binding}"\nbucket_name`);
}

/** Returns the first value of the key in wrangler.toml. */
function readName(key: string): string {
  const text = readFileSync(join(PROJECT_ROOT, 'wrangler.toml'), 'utf8');
  const name = new RegExp(`^${key}\\s*=\\s*"([^"]+)"`, 'm').exec(text)?.[1];
  if (!name) throw new UserError(`wrangler.toml names no ${key}.`);
  return name;
}

const TRIES_MAX = 50;
const PAUSE_MS = 100;

/** Retries while the running app has locked the database: SQLite allows one writing process at a time. */
export async function whileLocked<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (tries === TRIES_MAX || !String(error).includes('SQLITE_BUSY')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

// The table in which wrangler records applied migrations. This script uses the same table, so neither `wrangler d1
// migrations apply` nor this script applies a migration twice.
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS d1_migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
  )`;

/**
 * Applies the missing migrations in order. Each migration and its record are one transaction.
 * @param last the name of the last migration to apply; by default all are applied.
 */
export async function applyMigrations(db: LocalDatabase, folder: string, last?: string): Promise<void> {
  await db.prepare(CREATE_TABLE).run();
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const missing = listMigrations(folder).filter((name) => !applied.has(name) && (last === undefined || name <= last));
  if (missing.length === 0) return;
  // wrangler's function splits a migration into statements, but does not split a trigger at the semicolons inside the
  // trigger. wrangler is imported only if a migration is missing, because the import takes a second.
  const { unstable_splitSqlQuery: splitSql } = await import('wrangler');
  // workerd closes a connection that is idle for five seconds. On a busy machine the import blocks Node for longer than
  // five seconds. Node notices the closed connection only in the next turn of its event loop. Without waiting for this
  // turn, Node would send a statement over the closed connection.
  await nextTurn();
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

/** Selects the schema's own objects: no objects of SQLite or D1, and no internal tables of a search index. */
const READ_SCHEMA = `
  SELECT name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
  ORDER BY name`;

type SchemaRow = { name: string; sql: string };

/**
 * Checks that the folder contains every migration that was applied to the database.
 * @throws UserError if one is missing: another version of the app made the database.
 */
export async function assertKnownMigrations(db: LocalDatabase, folder: string): Promise<void> {
  const hasTable = await db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (!hasTable) return;
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const known = readdirSync(folder);
  if (results.some(({ name }) => !known.includes(name))) throw otherSchema();
}

/**
 * Compares the database with a new one from the current migrations. The comparison is needed because applied migrations
 * may be edited until the first release.
 * @throws UserError if the two differ.
 */
export async function assertSchema(db: LocalDatabase, folder: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  using fresh = new DatabaseSync(':memory:');
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  for (const name of names.sort()) fresh.exec(readFileSync(join(folder, name), 'utf8'));
  const { results } = await db.prepare(READ_SCHEMA).all<SchemaRow>();
  if (normalize(results) !== normalize(fresh.prepare(READ_SCHEMA).all() as SchemaRow[])) throw otherSchema();
}

/** Removes comments and line breaks, which D1 and SQLite store differently. */
function normalize(schema: SchemaRow[]): string {
  return schema.map(({ sql }) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ')).join('\n');
}

function otherSchema(): UserError {
  return new UserError(
    'The local database has the schema of another version of Patikana. ' +
      'Run "npm run dev -- --reset": the command deletes the local data and prepares it again.',
  );
}
