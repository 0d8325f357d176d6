import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

type ModuleRunner = { import: (path: string) => Promise<object> };
declare const __vitest_mocker__: { moduleRunner: ModuleRunner };

const WORKER = fileURLToPath(new URL('../../../worker/index.ts', import.meta.url).href);
const { moduleRunner } = __vitest_mocker__;
const load = moduleRunner.import.bind(moduleRunner);
let worker: object = {};

moduleRunner.import = async (path) => {
  const loaded = await load(path);
  if (path === WORKER) worker = loaded;
  return loaded;
};

// A message of a queue that comes as a file ends makes the pool ask Vite for the Worker's module, and may be logged. Both wait
// for an answer that nobody gives any more, and the run does not end. From here on messages are taken without either.
afterAll(() => {
  const taker = { queue: (batch: MessageBatch) => batch.ackAll() };
  moduleRunner.import = async () => ({ ...worker, default: taker });
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) console[method] = () => undefined;
});
