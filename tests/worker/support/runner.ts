import { fileURLToPath } from 'node:url';
import { type RunnerTestFile, TestRunner } from 'vitest';

type Modules = { import: (path: string) => Promise<object> };

const WORKER = fileURLToPath(new URL('../../../worker/index.ts', import.meta.url).href);
const LOGGERS = ['debug', 'error', 'info', 'log', 'warn'] as const;

let spoken: Partial<Console> = {};
let loadWorker: (() => Promise<object>) | undefined;

/**
 * Vitest's runner, changed because alarms, queue messages and background work may continue after a test file ends. If
 * such work sends Vite a request while the file ends, Vite does not respond, and the run waits indefinitely. There are
 * two kinds of requests. Cloudflare's Vitest pool requests the Worker's module at every event, so this runner loads the
 * module once. Vitest sends each logged line, so this runner logs nothing between two files.
 */
export default class WorkerRunner extends TestRunner {
  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    Object.assign(console, spoken);
    // Vitest sets the property `moduleRunner`, which is private in the types.
    if (!loadWorker) loadWorker = keepWorker((this as unknown as { moduleRunner: Modules }).moduleRunner);
  }

  override async onAfterRunFiles(): Promise<void> {
    super.onAfterRunFiles();
    spoken = Object.fromEntries(LOGGERS.map((logger) => [logger, console[logger]]));
    for (const logger of LOGGERS) console[logger] = () => undefined;
    // Vitest sends lines that were logged outside tests only with its next request, so this call makes a request.
    await loadWorker?.();
  }
}

/** Makes the module runner load the Worker once. @returns a function that requests the Worker again. */
function keepWorker(modules: Modules): () => Promise<object> {
  const load = modules.import.bind(modules);
  let worker: Promise<object> | undefined;
  modules.import = (path) => {
    if (path !== WORKER) return load(path);
    worker ??= load(path);
    return worker;
  };
  return () => load(WORKER);
}
