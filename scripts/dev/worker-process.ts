import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import type { ServeOptions } from './serve-worker.ts';

const GRACE_MS = 3_000;

/** Starts the Worker in a process group of its own, so that it and every process it starts can be ended together. */
export function startWorker(options: ServeOptions, output: 'inherit' | 'ignore' = 'inherit'): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', 'scripts/dev/serve-worker.ts', JSON.stringify(options)], {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      // For wrangler's build command: dev.ts has made everything, in places of its own.
      PATIKANA_IS_PREPARED: 'true',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_REGISTRY_PATH: join(options.stateFolder, 'registry'),
      WRANGLER_LOG_PATH: join(options.stateFolder, 'logs'),
    },
  });
}

/** Ends the Worker with everything it started: politely first, and what is left after a while by force. */
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
    // The group is gone already.
  }
}
