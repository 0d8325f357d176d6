import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

const GRACE_MS = 3_000;
/** Wrangler's script, to be run with this Node, not the one on the PATH. */
const WRANGLER = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');

export type WorkerOptions = {
  host: string;
  port: number;
  stateFolder: string;
  /** Variables for the Worker, each as `KEY:VALUE`, the format of wrangler's `--var`. */
  vars: string[];
  /** Whether Vite serves the web app, so that wrangler does not build it. */
  isHot?: boolean;
  /** Replaces the Worker's entry point, for example by one that counts queries. */
  entrypoint?: string;
};

/** Runs `wrangler dev` in its own process group, so that all its child processes can be stopped with it. */
export function startWorker(options: WorkerOptions, output: 'inherit' | 'ignore' = 'inherit'): ChildProcess {
  const { host, port, stateFolder, vars, isHot = false, entrypoint } = options;
  const args = [
    ...(entrypoint ? [entrypoint] : []),
    ...['--ip', host, '--port', String(port), '--persist-to', stateFolder],
    // With port 0, wrangler chooses a free port for the debugger. With the default port, two copies of the app could
    // not run at once.
    ...['--inspector-port', '0', '--show-interactive-dev-session=false'],
    ...vars.flatMap((pair) => ['--var', pair]),
  ];
  return spawn(process.execPath, ['--no-warnings', WRANGLER, 'dev', ...args], {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      // Tells the build command that the database is ready (scripts/wrangler/prepare-wrangler.ts).
      PATIKANA_HAS_STATE: 'true',
      ...(isHot && { PATIKANA_IS_HOT: 'true' }),
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      // Switches off wrangler's log of every request and statement. Wrangler never deletes the log, and writing the log
      // takes longer than writing the app's data.
      X_LOCAL_OBSERVABILITY: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'),
      WRANGLER_LOG_PATH: join(stateFolder, 'logs'),
    },
  });
}

/** Stops the Worker and all its child processes: with SIGTERM, and after a while with SIGKILL. */
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
    // Ignores the error: the process group has already ended.
  }
}

const CHECK_MS = 500;

/** Aborts when this script should stop: on Ctrl-C, a closed terminal, a kill, or the end of the npm that started it. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  if (process.env.npm_lifecycle_event) abortWithParent(stop);
  return controller.signal;
}

/**
 * Calls `stop` when the shell that started this script has ended: npm sends signals to this shell, which dies
 * without forwarding them.
 */
function abortWithParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, CHECK_MS).unref();
}

/**
 * How often the Worker's scheduled handler is called. In production the cron calls it every minute, which is too long a
 * wait for developers.
 */
const INTERVAL_MS = 3_000;

/** Calls the Worker's scheduled handler until the signal aborts: wrangler dev runs no crons. */
export async function runCrons(origin: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${origin}/cdn-cgi/local/scheduled`, { signal });
      await answer.arrayBuffer();
      await sleep(INTERVAL_MS, undefined, { signal });
    } catch {
      // Ignores the error and tries again: the Worker is being reloaded.
      if (!signal.aborted) await sleep(INTERVAL_MS);
    }
  }
}
