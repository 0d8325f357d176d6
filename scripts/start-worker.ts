import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from './project-root.ts';
import type { ServeOptions } from './serve-worker.ts';

/** Starts the Worker in a process group of its own, so that it and every process it starts can be ended together. */
export function startWorker(options: ServeOptions): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', 'scripts/serve-worker.ts', JSON.stringify(options)], {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
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
