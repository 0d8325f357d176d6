import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

type ModuleRunner = { import: (path: string) => Promise<object> };
declare const __vitest_mocker__: { moduleRunner: ModuleRunner };

const WORKER = fileURLToPath(new URL('../../../worker/index.ts', import.meta.url).href);
const { moduleRunner } = __vitest_mocker__;
const load = moduleRunner.import.bind(moduleRunner);
let worker: Promise<object> | undefined;

// At every request, alarm and message of a queue the pool asks Vite for the Worker's module. One that comes as a file ends would
// wait for an answer that nobody gives any more, and the run would not end. What it logs would, too.
moduleRunner.import = (path) => {
  if (path !== WORKER) return load(path);
  worker ??= load(path);
  return worker;
};

afterAll(() => {
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) console[method] = () => undefined;
});
