import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { UserError } from '#scripts/command/user-error.ts';

export type LocalDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;

/**
 * Opens the D1 database that `wrangler dev --persist-to FOLDER` serves, in this process: the wrangler commands take
 * seconds each. Works while a copy of the app runs on the same folder.
 */
export async function withLocalDatabase<Result>(
  stateFolder: string,
  use: (db: LocalDatabase) => Promise<Result>,
): Promise<Result> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: '',
      // Without it Miniflare asks the network where this machine is.
      cf: false,
      d1Databases: { DB: readDatabaseId() },
      resourcePersistencePath: resourceFolder(stateFolder),
    }),
  );
  try {
    return await use(await miniflare.getD1Database('DB'));
  } finally {
    await miniflare.dispose();
  }
}

/** @throws UserError when there is no database in the folder. */
export function assertDatabase(stateFolder: string): void {
  if (!existsSync(join(resourceFolder(stateFolder), 'd1')))
    throw new UserError(`There is no database in ${stateFolder} yet: npm run dev makes it.`);
}

/** Where wrangler keeps every local resource under `--persist-to`. */
function resourceFolder(stateFolder: string): string {
  return join(stateFolder, 'v3');
}

function readDatabaseId(): string {
  const id = /^database_id\s*=\s*"([^"]+)"/m.exec(readFileSync(join(PROJECT_ROOT, 'wrangler.toml'), 'utf8'))?.[1];
  if (!id) throw new UserError('wrangler.toml names no database_id.');
  return id;
}

const TRIES_MAX = 50;
const PAUSE_MS = 100;

/** Tries again while the running app holds the database: SQLite lets one process write at a time. */
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
