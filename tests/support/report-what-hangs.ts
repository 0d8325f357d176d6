import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { JsonReporter, type TestModule, type TestSpecification } from 'vitest/node';

/** The slowest file takes a minute and a half on two idle cores, and no test may take longer than three minutes. */
const HUNG_AFTER_MS = Number(process.env.HUNG_AFTER_MS ?? 300_000);
/** Once all files have ended; workerd, which may fail to close what a test has left open, is not waited for. */
const OPEN_AFTER_MS = 60_000;

/**
 * Vitest's JSON report, which is there even if a test file hangs. A test has a time limit, but a file that is never loaded has none:
 * vitest would wait for ever. After five minutes with one file this names it, reports the files that have ended, lists the others in
 * `<report>.unfinished` for another run, and ends the process.
 */
export default class ReportWhatHangs extends JsonReporter {
  readonly #unfinished = new Set<string>();
  readonly #ended: TestModule[] = [];
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #closing: NodeJS.Timeout | undefined;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { moduleId } of specifications) this.#unfinished.add(moduleId);
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    const why = `HUNG: ${relative('.', moduleId)} has not ended after ${HUNG_AFTER_MS / 1000} s.`;
    this.#timers.set(
      moduleId,
      setTimeout(() => this.#leave(why), HUNG_AFTER_MS),
    );
  }

  onTestModuleEnd(module: TestModule): void {
    clearTimeout(this.#timers.get(module.moduleId));
    this.#unfinished.delete(module.moduleId);
    this.#ended.push(module);
    if (this.#unfinished.size > 0) return;
    const why = `OPEN: all files have ended, and vitest has not after another ${OPEN_AFTER_MS / 1000} s.`;
    this.#closing = setTimeout(() => this.#leave(why), OPEN_AFTER_MS);
  }

  override async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    clearTimeout(this.#closing);
    await super.onTestRunEnd(modules);
  }

  async #leave(why: string): Promise<never> {
    console.error(why);
    await this.onTestRunEnd(this.#ended);
    const isWhole = this.#unfinished.size === 0;
    const { outputFile } = this.ctx.config;
    if (!isWhole && typeof outputFile === 'object' && outputFile.json)
      writeFileSync(
        `${outputFile.json}.unfinished`,
        [...this.#unfinished].map((file) => relative('.', file)).join('\n'),
      );
    process.exit(isWhole && this.#ended.every((module) => module.ok()) ? 0 : 1);
  }
}
