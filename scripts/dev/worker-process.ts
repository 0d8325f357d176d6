import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const GRACE_MS = 3_000;
/** Wrangler's script, run with this Node rather than the one on the PATH. */
const WRANGLER = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');

export type WorkerOptions = {
  host: string;
  port: number;
  stateFolder: string;
  /** `KEY:VALUE`, as for wrangler. */
  vars: string[];
  /** Vite serves the web app, so that wrangler need not build it. */
  isHot?: boolean;
  /** Replaces the Worker's entry point, for example by one that counts its queries. */
  entrypoint?: string;
};

/** Runs `wrangler dev` in its own process group, so that it and all of its child processes can be stopped together. */
export function startWorker(options: WorkerOptions, output: 'inherit' | 'ignore' = 'inherit'): ChildProcess {
  const { host, port, stateFolder, vars, isHot = false, entrypoint } = options;
  const args = [
    ...(entrypoint ? [entrypoint] : []),
    ...['--ip', host, '--port', String(port), '--persist-to', stateFolder],
    // Two copies would conflict over the debugger's usual port.
    ...['--inspector-port', '0', '--show-interactive-dev-session=false'],
    ...vars.flatMap((pair) => ['--var', pair]),
  ];
  return spawn(process.execPath, ['--no-warnings', WRANGLER, 'dev', ...args], {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      // For the build command (scripts/wrangler/prepare-wrangler.ts).
      PATIKANA_HAS_STATE: 'true',
      ...(isHot && { PATIKANA_IS_HOT: 'true' }),
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      // Wrangler's record of every request and statement: never deleted, and written by the thread that serves, which
      // waited for the disk more often for it than for all that the app writes.
      X_LOCAL_OBSERVABILITY: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'),
      WRANGLER_LOG_PATH: join(stateFolder, 'logs'),
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
