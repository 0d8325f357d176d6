import { join } from 'node:path';
import { findFreePort, waitForAnswer } from '#scripts/dev/address.ts';
import { startWorker } from '#scripts/dev/worker-process.ts';
import { endFamily } from '#tests/support/mortal-app.ts';
import { workerdProcessorMs } from '#tests/support/processes.ts';

const HOST = '127.0.0.1';
const PATIENCE_MS = 120_000;
const CONFIG = 'tests/bench/http/bare/wrangler.toml';

export type BareWorker = { origin: string; processorMs(): number; kill(): Promise<void> };

/** Starts the Worker to compare with, its table filled, the same way as the app's. */
export async function startBareWorker(stateFolder: string): Promise<BareWorker> {
  const port = await findFreePort(HOST);
  const origin = `http://${HOST}:${port}`;
  const folders = { stateFolder: join(stateFolder, 'bare'), webFolder: join(stateFolder, 'web') };
  const worker = startWorker({ host: HOST, port, ...folders, vars: [], config: CONFIG }, 'ignore');
  await waitForAnswer(`${origin}/api/fill`, AbortSignal.timeout(PATIENCE_MS));
  return {
    origin,
    processorMs: () => workerdProcessorMs(worker.pid ?? 0),
    kill: () => endFamily(worker),
  };
}
