import { DefaultReporter, type TestModule } from 'vitest/node';

/** Vitest's own report without the files that passed; a terminal shows meanwhile how far it is. */
export default class ReportFailures extends DefaultReporter {
  protected override printTestModule(module: TestModule): void {
    if (!module.ok()) super.printTestModule(module);
  }
}
