import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { prepareDatabase } from '#scripts/database/prepare-database.ts';
import { prepareStateFolder } from '#scripts/database/state-folder.ts';
import { findFreePort, waitForAnswer } from '#scripts/dev/address.ts';
import { ensureDevVars } from '#scripts/dev/ensure-dev-vars.ts';
import { startWorker } from '#scripts/dev/worker-process.ts';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';
import { endFamily, workerdBytes, workerdProcessorMs } from '#tests/support/processes.ts';

const HOST = '127.0.0.1';
const PATIENCE_MS = 120_000;

export type MortalWorker = {
  origin: string;
  /** What the cron does every minute. */
  sweep(): Promise<void>;
  /** Ends it at once and without warning, as a power cut does. */
  kill(): Promise<void>;
  /** What workerd holds in memory. */
  memoryBytes(): number;
  /** What workerd has used of the processor. */
  processorMs(): number;
};

/** Creates what the Worker needs, once: its database and its secrets. */
export async function prepareState(stateFolder: string): Promise<void> {
  prepareStateFolder(stateFolder);
  ensureDevVars(PROJECT_ROOT);
  packLexiconOfSources();
  await prepareDatabase(stateFolder, { isEmpty: true });
}

/** Starts only the Worker, as `npm run dev` does next to the web app: fast enough to be killed fifty times. */
export async function startMortalWorker(stateFolder: string, vars: string[]): Promise<MortalWorker> {
  const port = await findFreePort(HOST);
  const origin = `http://${HOST}:${port}`;
  const options = { host: HOST, port, stateFolder, vars };
  const worker = startWorker(options, 'inherit');
  await waitForAnswer(`${origin}/api/posts?limit=1`, AbortSignal.timeout(PATIENCE_MS));
  return {
    origin,
    sweep: async () => void (await fetch(`${origin}/cdn-cgi/local/scheduled`)),
    kill: () => endFamily(worker),
    memoryBytes: () => workerdBytes(worker.pid ?? 0),
    processorMs: () => workerdProcessorMs(worker.pid ?? 0),
  };
}
