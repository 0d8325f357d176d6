import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

// Each test starts a separate vitest process, so the tests need a long timeout.
vi.setConfig({ testTimeout: 60_000 });

const PASSES = "import { test } from 'vitest'; test('passes', () => {});";
const FAILS = "import { expect, test } from 'vitest'; test('fails', () => expect(1).toBe(2));";

test('the reporter prints the name of a test file that never finishes loading, fails the run, and reports the other files', async () => {
  const { code, output, folder } = await runVitest(
    { 'ends.test.ts': PASSES, 'hangs.test.ts': 'await new Promise(() => {});' },
    'report-what-hangs.ts',
    ['--outputFile.json=report.json'],
    { HUNG_AFTER_MS: '3000' },
  );
  expect(code).toBe(1);
  expect(output).toContain('HUNG: hangs.test.ts');
  const report = join(folder, 'report.json');
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
});

test('the test reporter describes each failed test; of the passed tests it prints only the number', async () => {
  const { code, output } = await runVitest({ 'well.test.ts': PASSES, 'ill.test.ts': FAILS }, 'report-run.ts');
  expect(code).toBe(1);
  expect(output).toContain('ill.test.ts');
  expect(output).toContain('expected 1 to be 2');
  expect(output).not.toContain('well.test.ts');
  expect(stripVTControlCharacters(output)).toMatch(/Tests +1 failed \| 1 passed/);
});

type Run = { code: number | string | null | undefined; output: string; folder: string };

/**
 * Runs a separate vitest over some files.
 * @param files the text of each file by its name.
 * @param reporter a file of `tests/support`.
 * @param env additional variables of the process.
 */
async function runVitest(
  files: Record<string, string>,
  reporter: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Run> {
  // The folder is inside the project, so that imports find the packages.
  const parent = join(PROJECT_ROOT, 'test-results');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'vitest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ 'vitest.config.ts': 'export default {};', ...files }))
    writeFileSync(join(folder, name), text);
  const command = ['vitest', 'run', '--root', folder, '--reporter', join(PROJECT_ROOT, 'tests/support', reporter)];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(PROJECT_ROOT, 'scripts/run.mjs'), ...command, ...args],
      { cwd: folder, env: { ...process.env, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? error.code : 0, output: stdout + stderr, folder }),
    );
  });
}
