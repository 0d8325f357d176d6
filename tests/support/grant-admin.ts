import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import type { Person } from './e2e-people.ts';

/** Makes the person a platform admin of the running app, with the command that the README names. */
export async function grantAdmin({ email }: Person, more: string[] = []): Promise<void> {
  const folder = process.env.PATIKANA_STATE;
  const options = folder ? ['--persist-to', folder] : [];
  // Not synchronous: while that waits, connections that the app closes would still look usable.
  await promisify(execFile)(process.execPath, ['scripts/grant-admin.ts', email, ...options, ...more], {
    cwd: PROJECT_ROOT,
  });
}
