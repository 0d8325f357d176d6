import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test, vi } from 'vitest';
import { runVitest } from './support/run-vitest.ts';

// Each test starts its own vitest.
vi.setConfig({ testTimeout: 60_000 });

const PASSES = "import { test } from 'vitest'; test('passes', () => {});";
const FAILS = "import { expect, test } from 'vitest'; test('fails', () => expect(1).toBe(2));";

test('a file that never loads is named and fails the run, and the finished files are reported', async () => {
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

test('failures are shown, and passed tests are only counted', async () => {
  const { code, output } = await runVitest({ 'well.test.ts': PASSES, 'ill.test.ts': FAILS }, 'report-run.ts');
  expect(code).toBe(1);
  expect(output).toContain('ill.test.ts');
  expect(output).toContain('expected 1 to be 2');
  expect(output).not.toContain('well.test.ts');
  expect(stripVTControlCharacters(output)).toMatch(/Tests +1 failed \| 1 passed/);
});
