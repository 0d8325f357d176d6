import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import { ensureDevVars, prepareStateFolder } from '#scripts/dev/options.ts';
import { fillDatabase } from './fill-database.ts';

const HERE = 'tests/bench/scale';
const FOLDER = join(PROJECT_ROOT, '.bench', 'scale');
/** The sources of a database: if one changes, it is filled again. */
const MAKERS = [
  ...['fill-database.ts', 'fill-people.ts', 'fill-posts.ts', 'make-posts.ts'].map((name) => `${HERE}/${name}`),
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
