import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { prepareDatabase } from '#scripts/database/prepare-database.ts';
import { findFreePort, waitForAnswer } from '#scripts/dev/address.ts';
import { ensureDevVars } from '#scripts/dev/ensure-dev-vars.ts';
import { startWorker, stopWorker } from '#scripts/dev/worker-process.ts';
import { unpackLastRelease } from './last-release.ts';

type Release = 'last' | 'this';

export type MixedApp = {
  origin: string;
  /** Puts a Worker and a web app in the place of those that are there: every object is started anew, and every socket lost. */
  put(parts: { worker: Release; web: Release }): Promise<void>;
  stop(): Promise<void>;
};

const HOST = '127.0.0.1';
const PATIENCE_MS = 60_000;

/**
 * An address at which the releases take turns, on one database that is migrated already, as in a deployment.
 * @param thisWeb the built web app of this release.
 */
export async function startMixedApp(thisWeb: string): Promise<MixedApp> {
  const folder = mkdtempSync(join(tmpdir(), 'patikana-mixed-'));
  const last = unpackLastRelease(folder);
  const stateFolder = join(folder, 'state');
  ensureDevVars(PROJECT_ROOT);
  // The same secrets for both, so that nobody is signed out.
  copyFileSync(join(PROJECT_ROOT, '.dev.vars'), join(dirname(last.config), '.dev.vars'));
  await prepareDatabase(stateFolder, { isEmpty: true });
  const port = await findFreePort(HOST);
  // The name by which the tests in browsers know every app.
  const origin = `http://localhost:${port}`;
  let stopCurrent = async () => {};
  return {
    origin,
    async put({ worker, web }) {
      await stopCurrent();
      const webFolder = web === 'last' ? last.web : thisWeb;
      const config = worker === 'last' ? { config: last.config } : {};
      const options = { host: HOST, port, stateFolder, webFolder, vars: ['RATE_LIMITS:off'], ...config };
      const child = startWorker(options, 'ignore');
      stopCurrent = () => stopWorker(child);
      const patience = AbortSignal.timeout(PATIENCE_MS);
      await waitForAnswer(`${origin}/api/posts?limit=1`, patience);
      patience.throwIfAborted();
    },
    async stop() {
      await stopCurrent();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
