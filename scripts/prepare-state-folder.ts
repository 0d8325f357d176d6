import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, UserError } from './user-error.ts';

/** Makes the folder when it is missing. @throws UserError when nothing can be written into it. */
export function prepareStateFolder(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new UserError(`The state folder ${folder} cannot be written (${errorCode(error)}).`);
  }
}
