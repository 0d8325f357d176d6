import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { errorCode, UserError } from '#scripts/command/user-error.ts';

export const DEFAULT_STATE_FOLDER = '.wrangler/state';

/** @throws UserError for an empty path, which would be the checkout itself. */
export function resolveStateFolder(folder: string): string {
  if (folder.trim() === '') throw new UserError('--persist-to needs a folder.');
  return resolve(PROJECT_ROOT, folder);
}

/** Creates the folder if it is missing. @throws UserError if it is not writable. */
export function prepareStateFolder(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new UserError(`The state folder ${folder} cannot be written (${errorCode(error)}).`);
  }
}

/** Node's recursive mkdir never returns if the parent exists but cannot contain folders, such as /proc. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
