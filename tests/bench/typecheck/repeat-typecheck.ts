import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

/**
 * `npm run bench:typecheck [-- RUNS]`: checks the types of clean copies of the tree, two at a time on two cores. What
 * the compiler writes for another project to read depends on the order in which its threads come to a file, so that a
 * wrong choice shows in few runs, and in fewer when it has the machine to itself.
 */
const COPIES = 2;
// Inside the checkout, so that the packages are found where they lie.
const FOLDER = join(PROJECT_ROOT, '.bench/typecheck');
const TSC = join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');

const runs = Number(process.argv[2] ?? 100);
const failures: string[] = [];
let started = 0;
await Promise.all(Array.from({ length: COPIES }, (_, index) => repeat(copyTree(`${index + 1}`))));
rmSync(FOLDER, { recursive: true });

for (const output of new Set(failures)) console.log(output);
console.log(`${failures.length} of ${runs} clean type checks failed.`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function repeat(tree: string): Promise<void> {
  while (started < runs) {
    started++;
    rmSync(join(tree, '.types'), { recursive: true, force: true });
    const output = await check(tree);
    if (output !== null) failures.push(output);
    process.stdout.write(output === null ? '.' : 'F');
  }
}

/** @returns what the compiler complained of, or null. */
function check(tree: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  execFile(process.execPath, [TSC, '-b'], { cwd: tree }, (error, stdout, stderr) =>
    resolve(error ? stdout || stderr || error.message : null),
  );
  return promise;
}

function copyTree(name: string): string {
  const tree = join(FOLDER, name);
  rmSync(tree, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: PROJECT_ROOT });
  // What was deleted and not yet committed is still listed.
  const files = listed
    .toString()
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(PROJECT_ROOT, file)));
  for (const file of files) cpSync(join(PROJECT_ROOT, file), join(tree, file));
  return tree;
}
