import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, UserError } from './user-error.ts';

/**
 * Writes `.dev.vars` with a secret of this machine's own when there is none. Never overwrites: a new secret would
 * sign everybody out.
 */
export function ensureDevVars(projectRoot: string): void {
  const path = join(projectRoot, '.dev.vars');
  const lines = [`JWT_SECRET=${randomBytes(32).toString('base64url')}`, 'WHATSAPP_TRANSPORT=local', ''];
  try {
    writeFileSync(path, lines.join('\n'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw new UserError(`${path} cannot be written (${errorCode(error)}).`);
  }
}
