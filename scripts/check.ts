// npm run check: runs the type check, the linter and our own checks at the same time. Prints each result when it is
// ready.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

const CHECKS = [
  ['tsc', '-b'],
  ['biome', 'check', '.'],
  ['scripts/lint/check-imports.ts'],
  ['scripts/lint/check-owners.ts'],
  ['scripts/check-packages.ts'],
  ['scripts/check-lexicon.ts'],
];

/** Runs a command, prints all its output in one piece and returns whether it succeeded. */
function runCheck(command: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(PROJECT_ROOT, 'scripts/run.mjs'), ...command], { cwd: PROJECT_ROOT });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('close', (code) => {
      console.log(output.trim() || `Checked with ${command.join(' ')}.`);
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(CHECKS.map(runCheck));
process.exitCode = results.every(Boolean) ? 0 : 1;
