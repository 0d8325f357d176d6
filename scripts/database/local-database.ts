import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { UserError } from '#scripts/command/user-error.ts';

export type LocalDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;
export type LocalBucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>;

/**
 * Opens the D1 database of `wrangler dev --persist-to FOLDER` in this process, as each wrangler command takes seconds. It
 * works while a copy of the app is running on the same folder.
 */
export function withLocalDatabase<Result>(
  stateFolder: string,
  use: (db: LocalDatabase) => Promise<Result>,
): Promise<Result> {
  const d1Databases = { DB: readName('database_id') };
  return withPlatform(stateFolder, { d1Databases }, async (platform) => use(await platform.getD1Database('DB')));
}

/** Opens one of the local buckets in the same way. */
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
      // Otherwise Miniflare makes a network request to find out the machine's location.
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

/** @throws UserError if there is no database in the folder. */
export function assertDatabase(stateFolder: string): void {
  if (!existsSync(join(resourceFolder(stateFolder), 'd1')))
    throw new UserError(`There is no database in ${stateFolder} yet: npm run dev makes it.`);
}

/** Deletes the local database, buckets, objects and queues, and nothing else that the folder may contain. */
export function deleteState(stateFolder: string): void {
  rmSync(resourceFolder(stateFolder), { recursive: true, force: true });
}

/** Where wrangler stores local resources below `--persist-to`. */
function resourceFolder(stateFolder: string): string {
  return join(stateFolder, 'v3');
}

/** The bucket's name in wrangler.toml. */
export function bucketName(binding: 'PHOTOS' | 'BACKUPS'): string {
  return readName(`binding = "${binding}"\nbucket_name`);
}

/** The first value of the key in wrangler.toml. */
function readName(key: string): string {
  const text = readFileSync(join(PROJECT_ROOT, 'wrangler.toml'), 'utf8');
  const name = new RegExp(`^${key}\\s*=\\s*"([^"]+)"`, 'm').exec(text)?.[1];
  if (!name) throw new UserError(`wrangler.toml names no ${key}.`);
  return name;
}

const TRIES_MAX = 50;
const PAUSE_MS = 100;

/** Retries while the running app has locked the database: SQLite lets only one process write at a time. */
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
