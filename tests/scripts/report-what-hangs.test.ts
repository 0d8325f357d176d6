import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

// It starts a vitest of its own.
vi.setConfig({ testTimeout: 60_000 });

// Within the project, where that one finds its packages.
const parent = join(PROJECT_ROOT, 'test-results');
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(join(parent, 'hangs-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a file that is never loaded is named and left for another run; those that ended are reported', async () => {
  writeFileSync(join(folder, 'vitest.config.ts'), 'export default {};');
  writeFileSync(join(folder, 'ends.test.ts'), "import { test } from 'vitest'; test('ends', () => {});");
  writeFileSync(join(folder, 'hangs.test.ts'), 'await new Promise(() => {});');
  const report = join(folder, 'report.json');
  const run = promisify(execFile)(
    process.execPath,
    [
      join(PROJECT_ROOT, 'scripts/run.mjs'),
      ...['vitest', 'run', '--root', folder, '--reporter', join(PROJECT_ROOT, 'tests/support/report-what-hangs.ts')],
      `--outputFile.json=${report}`,
    ],
    { cwd: folder, env: { ...process.env, HUNG_AFTER_MS: '3000' } },
  );
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('HUNG: hangs.test.ts') });
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
  expect(readFileSync(`${report}.unfinished`, 'utf8')).toBe('hangs.test.ts');
});
