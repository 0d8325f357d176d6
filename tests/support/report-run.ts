import { styleText } from 'node:util';
import type { SerializedError } from 'vitest';
import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestProject,
  type TestSpecification,
  type TestSuite,
} from 'vitest/node';

const SLOWEST_SHOWN = 10;

type Progress = { files: number; unfinished: number; tests: number; startedAt: number };

/**
 * Reports each failure as soon as it happens, a line for each project that is complete, and the slowest tests at the
 * end. A terminal also shows the progress meanwhile.
 */
export default class ReportRun extends DefaultReporter {
  readonly #projects = new Map<TestProject, Progress>();
  readonly #tests: { label: string; duration: number }[] = [];
  readonly #failed: string[] = [];

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    for (const { project } of specifications) {
      const progress = this.#projects.get(project) ?? { files: 0, unfinished: 0, tests: 0, startedAt: 0 };
      progress.files++;
      progress.unfinished++;
      this.#projects.set(project, progress);
    }
  }

  override onTestModuleQueued(module: TestModule): void {
    super.onTestModuleQueued(module);
    const progress = this.#projects.get(module.project);
    if (progress) progress.startedAt ||= performance.now();
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    const { project, module, fullName } = test;
    const name = `${module.relativeModuleId} > ${fullName}`;
    this.#tests.push({ label: labelOf(project, name), duration: test.diagnostic()?.duration ?? 0 });
    const progress = this.#projects.get(project);
    if (progress) progress.tests++;
    this.#reportErrors(project, name, test.result().errors);
  }

  override onTestSuiteResult(suite: TestSuite): void {
    super.onTestSuiteResult(suite);
    const { project, module, fullName } = suite;
    this.#reportErrors(project, `${module.relativeModuleId} > ${fullName}`, suite.errors());
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const { project, relativeModuleId: name } = module;
    this.#reportErrors(project, name, module.errors());
    const progress = this.#projects.get(project);
    if (!progress || --progress.unfinished > 0) return;
    const { tests, files, startedAt } = progress;
    this.log(`${project.name}: ${tests} tests in ${files} files, ${seconds(performance.now() - startedAt)}`);
  }

  /** Prints no line for a module, because `onTestModuleEnd` prints one line for each project. */
  protected override printTestModule(): void {}

  override reportSummary(...[files, errors]: Parameters<DefaultReporter['reportSummary']>): void {
    if (errors.length > 0) this.ctx.logger.printUnhandledErrors(errors);
    if (this.#tests.length > SLOWEST_SHOWN) {
      const slowest = this.#tests.toSorted((one, other) => other.duration - one.duration).slice(0, SLOWEST_SHOWN);
      this.log(`\nThe slowest of ${this.#tests.length} tests:`);
      for (const { label, duration } of slowest) this.log(`${seconds(duration).padStart(7)}  ${label}`);
    }
    if (this.#failed.length > 0) this.log(`\nFailed:\n${this.#failed.join('\n')}`);
    this.reportTestSummary(files, errors, 0);
  }

  #reportErrors(project: TestProject, name: string, errors: readonly SerializedError[] = []): void {
    if (errors.length === 0) return;
    const label = labelOf(project, name);
    this.#failed.push(label);
    this.error(`\n${styleText('red', 'FAILED')} ${label}`);
    for (const error of errors) this.ctx.logger.printError(error, { project });
  }
}

function labelOf(project: TestProject, name: string): string {
  return project.name ? `${project.name} ${name}` : name;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
