import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from './project-root.ts';
import { WRANGLER_PATH } from './wrangler-path.ts';

export type WorkerOptions = { host: string; port: number; stateFolder: string; webFolder: string; vars: string[] };

/** Starts `wrangler dev` in a process group of its own, so that it and every process it starts can be ended together. */
export function startWorker(options: WorkerOptions): ChildProcess {
  const { host, port, stateFolder, webFolder, vars } = options;
  return spawn(
    process.execPath,
    [
      WRANGLER_PATH,
      'dev',
      ...['--ip', host, '--port', String(port)],
      ...['--persist-to', stateFolder, '--assets', webFolder],
      // Any free port: two copies must not fight for one.
      ...['--inspector-port', '0'],
      '--show-interactive-dev-session=false',
      ...vars.flatMap((pair) => ['--var', pair]),
    ],
    {
      cwd: PROJECT_ROOT,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'),
        WRANGLER_LOG_PATH: join(stateFolder, 'logs'),
      },
    },
  );
}
