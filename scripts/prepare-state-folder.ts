import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, UserError } from './user-error.ts';

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
