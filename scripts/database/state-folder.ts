import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { errorCode, UserError } from '#scripts/command/user-error.ts';

export const DEFAULT_STATE_FOLDER = '.wrangler/state';

/** @throws UserError for an empty path: it would be the checkout itself. */
export function resolveStateFolder(folder: string): string {
  if (folder.trim() === '') throw new UserError('--persist-to needs a folder.');
  return resolve(PROJECT_ROOT, folder);
}

/** Makes the folder when it is missing. @throws UserError when nothing can be written into it. */
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

/** Node's own recursive mkdir never returns where the parent exists but takes no folders, as /proc. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
