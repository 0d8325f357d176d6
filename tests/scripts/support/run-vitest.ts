import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

type Run = { code: number | string | null | undefined; output: string; folder: string };

/**
 * Runs a separate vitest over some files.
 * @param files the text of each file by its name.
 * @param reporter a file of `tests/support`.
 * @param env additional variables of the process.
 */
export async function runVitest(
  files: Record<string, string>,
  reporter: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Run> {
  // Inside the project, so that the packages are found.
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
