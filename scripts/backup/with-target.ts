import { resolve } from 'node:path';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import { DEFAULT_STATE_FOLDER, prepareStateFolder, resolveStateFolder } from '#scripts/database/state-folder.ts';
import { localTarget } from './local-target.ts';
import { REMOTE_TARGET } from './remote-target.ts';
import type { Target } from './target.ts';

/** The options of commands that work on either kind of database. */
export const TARGET_OPTIONS = {
  remote: { type: 'boolean', default: false },
  'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
} as const;

type Choice = { remote: boolean; 'persist-to': string };

export function withTarget<Result>(choice: Choice, use: (target: Target) => Promise<Result>): Promise<Result> {
  if (choice.remote) return use(REMOTE_TARGET);
  const stateFolder = resolveStateFolder(choice['persist-to']);
  prepareStateFolder(stateFolder);
  return withLocalDatabase(stateFolder, (db) => use(localTarget(db)));
}

/** Resolves a path from the folder where the person started npm, which may not be the project's. */
export function resolveFile(named: string): string {
  return resolve(process.env.INIT_CWD ?? '', named);
}
