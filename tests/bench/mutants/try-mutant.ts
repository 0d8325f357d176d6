import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '#scripts/command/user-error.ts';
import type { Mutant } from './choose-mutants.ts';
import { runTool } from './run-tool.ts';
import { breakCopy } from './scratch-copy.ts';

/** `by` names the test that failed. What the compiler or the linter refuses is no mutant: nobody could commit it. */
export type Verdict = { state: 'seen'; by: string } | { state: 'unseen' } | { state: 'refused' };
type Report = { testResults: { name: string; status: string; assertionResults: Assertion[] }[] };
/** The test, and its file where it is known. */
type Failure = { file?: string; name: string };
type Assertion = { status: string; fullName: string };

/** The projects of vitest.config.ts that run code of an area, the quick ones first; `scripts` is about the commands. */
const PROJECTS: Record<string, string[]> = {
  contract: ['unit', 'web', 'worker', 'bench'],
  durable: ['worker'],
  web: ['web', 'unit'],
  worker: ['unit', 'worker', 'bench'],
};
/** How many of the test files that are likeliest to see a mutant are run before all. */
const NEAREST_FILES = 5;
/** Words of a path that say nothing of what it is about. */
const COMMON = new Set(['test', 'worker', 'web', 'contract', 'durable', 'rule', 'store', 'route', 'use', 'screen']);

/** Whether the types of the copy fit. */
export function hasTypes(root: string): Promise<boolean> {
  return runTool(root, ['typescript/bin/tsc', '-b']);
}

function isLinted(root: string, path: string): Promise<boolean> {
  return runTool(root, ['@biomejs/biome/bin/biome', 'lint', path]);
}

/** Breaks the copy, looks whether a test fails that passes while nothing is broken, and mends it again. */
export async function tryMutant(root: string, mutant: Mutant): Promise<Verdict> {
  const mend = breakCopy(root, mutant);
  try {
    if (!(await hasTypes(root)) || !(await isLinted(root, mutant.path))) return { state: 'refused' };
    const failure = await findFailure(root, mutant.path);
    if (failure === null) return { state: 'unseen' };
    mend();
    if (failure.file) await assertSound(root, failure.file);
    return { state: 'seen', by: failure.name };
  } finally {
    mend();
  }
}

/** @returns a test that fails twice: one that fails by chance has seen nothing. */
async function findFailure(root: string, path: string): Promise<Failure | null> {
  const projects = PROJECTS[path.split('/')[0] ?? ''] ?? [];
  const nearest = findNearest(root, projects, path);
  const rounds = [...(nearest.length > 0 ? [nearest] : []), ...projects.map((project) => [`--project=${project}`])];
  for (const round of rounds) {
    const first = await runTests(root, round);
    const second = first && (await runTests(root, first.file ? [first.file] : round));
    if (second) return second;
  }
  return null;
}

const sound = new Set<string>();

/** @throws UserError for a test that fails with nothing broken, which would see everything. */
async function assertSound(root: string, file: string): Promise<void> {
  if (sound.has(file)) return;
  const failure = await runTests(root, [file]);
  if (failure) throw new UserError(`This fails with nothing broken: ${failure.name}`);
  sound.add(file);
}

/** @returns the first test that failed. */
async function runTests(root: string, args: string[]): Promise<Failure | null> {
  const report = join(root, 'report.json');
  rmSync(report, { force: true });
  const output = ['--bail=1', '--reporter=json', `--outputFile=${report}`];
  if (await runTool(root, ['vitest/vitest.mjs', 'run', ...output, ...args])) return null;
  const { testResults } = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as Report)
    : { testResults: [] };
  const failed = testResults.find(({ status }) => status === 'failed');
  if (!failed) return { name: 'a test that never ends, or an error outside of all tests' };
  const assertion = failed.assertionResults.find(({ status }) => status === 'failed');
  return { file: failed.name, name: `${basename(failed.name)}: ${assertion?.fullName ?? 'does not load'}` };
}

/** The test files whose names say most of what the path says. */
function findNearest(root: string, projects: string[], path: string): string[] {
  const words = wordsOf(path);
  const nearness = (file: string) => wordsOf(file).filter((word) => words.includes(word)).length;
  return globSync('tests/*/**/*.test.{ts,tsx}', { cwd: root })
    .filter((file) => projects.includes(file.split('/')[1] ?? '') && nearness(file) > 0)
    .sort((left, right) => nearness(right) - nearness(left))
    .slice(0, NEAREST_FILES);
}

/** `web/lib/outbox-sender.ts` is about `lib`, `outbox` and `sender`; plurals count as singulars. */
function wordsOf(path: string): string[] {
  const words = path.replace(/(\.test)?\.tsx?$/, '').split(/[/-]/);
  return words.map((word) => word.replace(/ies$/, 'y').replace(/s$/, '')).filter((word) => !COMMON.has(word));
}
