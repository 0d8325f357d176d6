import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import type { ServeOptions } from './serve-worker.ts';

const GRACE_MS = 3_000;

/** Starts the Worker in its own process group, so that it and all of its child processes can be stopped together. */
export function startWorker(options: ServeOptions, output: 'inherit' | 'ignore' = 'inherit'): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', 'scripts/dev/serve-worker.ts', JSON.stringify(options)], {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      // Tells wrangler's build command that dev.ts has already built everything.
      PATIKANA_IS_PREPARED: 'true',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      // Wrangler's record of every request and statement: kept for good, and written by the thread that serves, which
      // waited for the disk more often for it than for all that the app writes.
      X_LOCAL_OBSERVABILITY: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_REGISTRY_PATH: join(options.stateFolder, 'registry'),
      WRANGLER_LOG_PATH: join(options.stateFolder, 'logs'),
    },
  });
}

/** Stops the Worker with all of its child processes: with SIGTERM first, and with SIGKILL after a while. */
export async function stopWorker(worker: ChildProcess): Promise<void> {
  const { pid } = worker;
  if (pid === undefined) return;
  const hasExited = worker.exitCode !== null || worker.signalCode !== null;
  const exit = hasExited ? Promise.resolve() : new Promise((resolve) => worker.once('exit', resolve));
  signalGroup(pid, 'SIGTERM');
  await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())]);
  signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process group is already gone.
  }
}
