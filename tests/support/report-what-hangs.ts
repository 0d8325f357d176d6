import { relative } from 'node:path';
import { JsonReporter, type TestModule } from 'vitest/node';

/** The time after which a test file counts as hung. Even on a busy machine, no file takes half as long. */
const HUNG_AFTER_MS = Number(process.env.HUNG_AFTER_MS ?? 300_000);
/** How long the process may take to end after its last file. */
const OPEN_AFTER_MS = 60_000;

/**
 * Writes Vitest's JSON report even if a test file never loads: Vitest has no time limit for loading a file. Logs the
 * name of such a file, reports the files that have ended, and fails the run.
 */
export default class ReportWhatHangs extends JsonReporter {
  readonly #ended: TestModule[] = [];
  readonly #timers = new Map<string, NodeJS.Timeout>();

  onTestModuleQueued({ moduleId }: TestModule): void {
    const problem = `HUNG: ${relative('.', moduleId)} has not ended after ${HUNG_AFTER_MS / 1000} s.`;
    this.#timers.set(
      moduleId,
      setTimeout(() => this.#fail(problem), HUNG_AFTER_MS),
    );
  }

  onTestModuleEnd(module: TestModule): void {
    clearTimeout(this.#timers.get(module.moduleId));
    this.#ended.push(module);
  }

  override async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    await super.onTestRunEnd(modules);
    setTimeout(() => {
      console.error(`OPEN: all files have ended, and the process has not after another ${OPEN_AFTER_MS / 1000} s.`);
      process.exit(1);
    }, OPEN_AFTER_MS).unref();
  }

  async #fail(problem: string): Promise<never> {
    console.error(problem);
    await super.onTestRunEnd(this.#ended);
    process.exit(1);
  }
}
