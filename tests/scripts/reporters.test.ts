import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test, vi } from 'vitest';
import { runVitest } from './support/run-vitest.ts';

// Each starts a vitest of its own.
vi.setConfig({ testTimeout: 60_000 });

const PASSES = "import { test } from 'vitest'; test('passes', () => {});";
const FAILS = "import { expect, test } from 'vitest'; test('fails', () => expect(1).toBe(2));";

test('a file that is never loaded is named and left for another run; those that ended are reported', async () => {
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
  expect(readFileSync(`${report}.unfinished`, 'utf8')).toBe('hangs.test.ts');
});

test('what failed is shown, and what passed is only counted', async () => {
  const { code, output } = await runVitest({ 'well.test.ts': PASSES, 'ill.test.ts': FAILS }, 'report-failures.ts');
  expect(code).toBe(1);
  expect(output).toContain('ill.test.ts');
  expect(output).toContain('expected 1 to be 2');
  expect(output).not.toContain('well.test.ts');
  expect(stripVTControlCharacters(output)).toMatch(/Tests +1 failed \| 1 passed/);
});
