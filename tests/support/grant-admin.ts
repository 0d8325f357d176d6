import { execFileSync } from 'node:child_process';
import { PROJECT_ROOT } from '#scripts/project-root.ts';
import type { Person } from './e2e-people.ts';

/** Makes the person a platform admin of the running app, with the command that the README names. */
export function grantAdmin({ email }: Person): void {
  const folder = process.env.PATIKANA_STATE;
  const options = folder ? ['--persist-to', folder] : [];
  execFileSync(process.execPath, ['scripts/grant-admin.ts', email, ...options], { cwd: PROJECT_ROOT });
}
