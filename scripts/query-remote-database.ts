import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from './project-root.ts';
import { UserError } from './user-error.ts';
import { WRANGLER_PATH } from './wrangler-path.ts';

/** Runs one statement on the deployed database, with the rights of whoever is signed in to wrangler. */
export async function queryRemoteDatabase<Row>(sql: string): Promise<Row[]> {
  const args = [WRANGLER_PATH, 'd1', 'execute', 'DB', '--remote', '--json', '--yes', '--command', sql];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT_ROOT, env });
    const [answer] = JSON.parse(stdout) as { results: Row[] }[];
    return answer?.results ?? [];
  } catch (error) {
    throw new UserError(`wrangler could not reach the deployed database: ${reasonOf(error)}`);
  }
}

/** Wrangler explains itself in JSON on one stream or in prose on the other; the first line says it. */
function reasonOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  const text = /"text":\s*"([^"]+)"/.exec(stdout)?.[1] ?? `${stderr}${stdout}`.trim();
  return text.split('\n')[0] || String(error);
}
