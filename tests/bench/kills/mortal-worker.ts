import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import { ensureDevVars, findFreePort, prepareStateFolder, waitForAnswer } from '#scripts/dev/options.ts';
import { startWorker } from '#scripts/dev/serve-worker.ts';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';
import { endFamily, workerdBytes, workerdProcessorMs } from '#tests/support/processes.ts';

const HOST = '127.0.0.1';
const PATIENCE_MS = 120_000;

export type MortalWorker = {
  origin: string;
  /** Runs the cron job. */
  sweep(): Promise<void>;
  /** Kills the Worker without warning, as a power cut does. */
  kill(): Promise<void>;
  /** The memory that workerd uses. */
  memoryBytes(): number;
  /** The processor time that workerd has used. */
  processorMs(): number;
};

/** Creates what the Worker needs, once: its database and its secrets. */
export async function prepareState(stateFolder: string): Promise<void> {
  prepareStateFolder(stateFolder);
  ensureDevVars(PROJECT_ROOT);
  packLexiconOfSources();
  await prepareDatabase(stateFolder, { isEmpty: true });
}

/** Starts the Worker without the web app, because the benchmark restarts the Worker fifty times. */
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
