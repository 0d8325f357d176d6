import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import { ensureDevVars, prepareStateFolder } from '#scripts/dev/options.ts';
import { randomFrom } from '#tests/bench/matching/synthetic-posts.ts';
import { hashPassword } from '#worker/accounts/password.ts';
import { insertCommunities, insertPeople, insertReaders, PASSWORD } from './fill-people.ts';
import { fillPosts } from './fill-posts.ts';

const CACHE_KB = 1_000_000;
const HERE = 'tests/bench/scale';
const FOLDER = join(PROJECT_ROOT, '.bench', 'scale');
/** The files that determine a database's content. A change to one of them fills the database again. */
const MAKERS = [
  ...['prepare-databases.ts', 'fill-people.ts', 'fill-posts.ts'].map((name) => `${HERE}/${name}`),
  'tests/bench/matching/fixtures.tsv',
  'worker/posts/search-texts.ts',
  'worker/db/search-text.ts',
];

export type FilledDatabase = { size: number; stateFolder: string; file: string };

/** Returns the databases of these sizes, reused from an earlier run if their sources have not changed. */
export async function prepareDatabases(sizes: number[]): Promise<FilledDatabase[]> {
  ensureDevVars(PROJECT_ROOT);
  const version = readVersion();
  const databases: FilledDatabase[] = [];
  for (const size of sizes) databases.push(await prepare(size, version));
  return databases;
}

async function prepare(size: number, version: string): Promise<FilledDatabase> {
  const stateFolder = join(FOLDER, `${size}`);
  const stamp = join(stateFolder, 'version');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
    rmSync(stateFolder, { recursive: true, force: true });
    mkdirSync(stateFolder, { recursive: true });
    prepareStateFolder(join(stateFolder, 'web'));
    await prepareDatabase(stateFolder, { isEmpty: true });
    const started = performance.now();
    await fillDatabase(findFile(stateFolder), size, Date.now());
    console.error(
      `${size.toLocaleString('en')} posts filled in ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
    writeFileSync(stamp, version);
  }
  return { size, stateFolder, file: findFile(stateFolder) };
}

/** The SQLite file of the only D1 database. */
function findFile(stateFolder: string): string {
  const folder = join(stateFolder, 'v3', 'd1', 'miniflare-D1DatabaseObject');
  const name = readdirSync(folder).find((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite');
  if (name === undefined) throw new Error(`There is no database in ${folder}.`);
  return join(folder, name);
}

function readVersion(): string {
  const migrations = readdirSync(join(PROJECT_ROOT, 'migrations')).filter((name) => name.endsWith('.sql'));
  const hash = createHash('sha256');
  for (const name of [...migrations.sort().map((migration) => `migrations/${migration}`), ...MAKERS])
    hash.update(readFileSync(join(PROJECT_ROOT, name)));
  return hash.digest('hex');
}

/** Fills an empty database with `size` posts and their related rows, as the Worker would have written them. */
async function fillDatabase(file: string, size: number, now: number): Promise<void> {
  const db = new DatabaseSync(file);
  db.exec(`pragma synchronous = off; pragma cache_size = -${CACHE_KB}; pragma temp_store = memory;
    pragma foreign_keys = off`);
  const passwordHash = await hashPassword(PASSWORD);
  const parts = takeAway(db);
  db.exec('begin');
  const communities = insertCommunities(db, size, now);
  insertPeople(db, size, passwordHash, now);
  insertReaders(db, communities, passwordHash, now);
  db.exec('commit');
  fillPosts(db, { size, communities, now, random: randomFrom(size) });
  for (const { type, sql } of parts) if (type === 'index') db.exec(sql);
  fillSearchIndexes(db);
  for (const { type, sql } of parts) if (type === 'trigger') db.exec(sql);
  db.close();
}

type Part = { type: string; name: string; sql: string };

/** Drops indexes and triggers before the rows are inserted. @returns the statements that create them again. */
function takeAway(db: DatabaseSync): Part[] {
  const parts = db
    .prepare(`select type, name, sql from sqlite_schema where sql is not null and (
      type = 'trigger' and tbl_name in ('posts', 'notices', 'search_meanings')
      or type = 'index' and tbl_name in ('posts', 'match_terms', 'match_readings', 'match_pairs', 'notices'))`)
    .all() as Part[];
  for (const { type, name } of parts) db.exec(`drop ${type} ${name}`);
  return parts;
}

function fillSearchIndexes(db: DatabaseSync): void {
  for (const index of ['posts_search', 'posts_visitor_search'])
    db.exec(`insert into ${index} (${index}) values ('rebuild')`);
}
