import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, waitForAnswer } from '#scripts/dev/address.ts';
import { startWorker, stopWorker } from '#scripts/dev/worker-process.ts';

const HOST = '127.0.0.1';
const PATIENCE_MS = 120_000;
const NANOSECONDS_PER_MS = 1_000_000;

/** Serves the database in the folder by the Worker that counts. */
export async function startCountingWorker(stateFolder: string) {
  const port = await findFreePort(HOST);
  const origin = `http://${HOST}:${port}`;
  const options = { host: HOST, port, stateFolder, webFolder: join(stateFolder, 'web'), vars: [] };
  const worker = startWorker({ ...options, entrypoint: 'tests/worker/support/counting-worker.ts' }, 'ignore');
  await waitForAnswer(`${origin}/api/posts?limit=1`, AbortSignal.timeout(PATIENCE_MS));
  const runtime = findRuntime(worker.pid ?? 0);
  return { origin, readProcessorMs: () => readProcessorMs(runtime), stop: () => stopWorker(worker) };
}

/** The process that runs the Worker and its database, in the group of the one that was started. */
function findRuntime(group: number): string {
  const runtime = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isRuntime(pid, group));
  if (runtime === undefined) throw new Error('The process of the Worker is not to be found; this needs Linux.');
  return runtime;
}

function isRuntime(pid: string, group: number): boolean {
  try {
    // `pid (name) state parent group …`
    const [, name, ofGroup] = /\((.*)\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return name === 'workerd' && Number(ofGroup) === group;
  } catch {
    // It ended while we looked.
    return false;
  }
}

/** What all threads of the process have had of the processors: on a machine that has other work too, it says more than time. */
function readProcessorMs(pid: string): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [onProcessor] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(onProcessor) / NANOSECONDS_PER_MS;
  }, 0);
}
