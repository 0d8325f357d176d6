import { findFreePort, waitForAnswer } from '#scripts/dev/options.ts';
import { startWorker, stopWorker } from '#scripts/dev/serve-worker.ts';
import { workerdProcessorMs } from '#tests/support/processes.ts';

const HOST = '127.0.0.1';
const PATIENCE_MS = 120_000;

/** Serves the folder's database with a Worker that counts queries. */
export async function startCountingWorker(stateFolder: string) {
  const port = await findFreePort(HOST);
  const origin = `http://${HOST}:${port}`;
  const options = { host: HOST, port, stateFolder, vars: [] };
  const worker = startWorker({ ...options, entrypoint: 'tests/worker/support/counting-worker.ts' }, 'ignore');
  await waitForAnswer(`${origin}/api/posts?limit=1`, AbortSignal.timeout(PATIENCE_MS));
  const readProcessorMs = () => workerdProcessorMs(worker.pid ?? 0);
  return { origin, readProcessorMs, stop: () => stopWorker(worker) };
}
