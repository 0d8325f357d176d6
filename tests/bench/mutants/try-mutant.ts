import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '#scripts/command/user-error.ts';
import type { Mutant } from './choose-mutants.ts';
import { runTool } from './run-tool.ts';
import { breakCopy } from './scratch-copy.ts';

/**
 * `by` names the test that failed. What the compiler or the linter refuses is no mutant: nobody could commit it. One that
 * the nearest tests did not see is open until all tests have run.
 */
export type Verdict = { state: 'seen'; by: string } | { state: 'unseen' } | { state: 'refused' } | { state: 'open' };
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
/** What takes longer never ends: a breakage can make a loop of what was none. */
const FILES_LIMIT_MS = 10 * 60_000;
const PROJECT_LIMIT_MS = 30 * 60_000;
/** Words of a path that say nothing of what it is about. */
const COMMON = new Set(['test', 'worker', 'web', 'contract', 'durable', 'rule', 'store', 'route', 'use', 'screen']);

/** Whether the types of the copy fit. */
export function hasTypes(root: string): Promise<boolean> {
  return runTool(root, ['typescript/bin/tsc', '-b'], FILES_LIMIT_MS);
}

function isLinted(root: string, path: string): Promise<boolean> {
  return runTool(root, ['@biomejs/biome/bin/biome', 'lint', path], FILES_LIMIT_MS);
}

/** Breaks the copy, looks whether one of the nearest tests fails that passes while nothing is broken, and mends it again. */
export async function tryNearest(root: string, mutant: Mutant): Promise<Verdict> {
  const mend = breakCopy(root, [mutant]);
  try {
    if (!(await hasTypes(root)) || !(await isLinted(root, mutant.path))) return { state: 'refused' };
    const nearest = findNearest(root, mutant.path);
    const failure = nearest.length > 0 ? await findFailure(root, [nearest]) : null;
    mend();
    return failure ? await seenBy(root, failure) : { state: 'open' };
  } finally {
    mend();
  }
}

/**
 * Runs all tests on what is open, broken together, which takes one run for all of it; the files that fail then are run
 * against each alone.
 */
export async function tryAllTests(root: string, mutants: Mutant[]): Promise<Map<Mutant, Verdict>> {
  const verdicts = new Map<Mutant, Verdict>();
  for (let open = mutants; open.length > 0; open = open.filter((mutant) => !verdicts.has(mutant))) {
    const together = onePerFile(open);
    const files = await whileBroken(root, together, () => findFailingFiles(root, roundsOf(together)));
    for (const mutant of together) verdicts.set(mutant, await tryAlone(root, mutant, files));
  }
  return verdicts;
}

/** @param files those that could see it; null where it is not known, and all are tried. */
async function tryAlone(root: string, mutant: Mutant, files: string[] | null): Promise<Verdict> {
  if (files?.length === 0) return { state: 'unseen' };
  const rounds = files ? [files] : roundsOf([mutant]);
  const failure = await whileBroken(root, [mutant], () => findFailure(root, rounds));
  return failure ? seenBy(root, failure) : { state: 'unseen' };
}

async function whileBroken<Result>(root: string, mutants: Mutant[], look: () => Promise<Result>): Promise<Result> {
  const mend = breakCopy(root, mutants);
  try {
    return await look();
  } finally {
    mend();
  }
}

/** @returns a test that fails twice: one that fails by chance has seen nothing. */
async function findFailure(root: string, rounds: string[][]): Promise<Failure | null> {
  for (const round of rounds) {
    const first = await runTests(root, round);
    const second = first && (await runTests(root, first.file ? [first.file] : round));
    if (second) return second;
  }
  return null;
}

function projectsFor(path: string): string[] {
  return PROJECTS[path.split('/')[0] ?? ''] ?? [];
}

function roundsOf(mutants: Mutant[]): string[][] {
  const projects = new Set(mutants.flatMap(({ path }) => projectsFor(path)));
  return [...projects].map((project) => [`--project=${project}`]);
}

/** A mutant's place in its file holds while nothing else in that file is broken. */
function onePerFile(mutants: Mutant[]): Mutant[] {
  return [...new Map(mutants.map((mutant) => [mutant.path, mutant])).values()];
}

async function seenBy(root: string, { file, name }: Failure): Promise<Verdict> {
  if (file) await assertSound(root, file);
  return { state: 'seen', by: name };
}

const sound = new Set<string>();

/** @throws UserError for a test that fails with nothing broken, twice, which would see everything. */
async function assertSound(root: string, file: string): Promise<void> {
  if (sound.has(file)) return;
  const failure = await findFailure(root, [[file]]);
  if (failure) throw new UserError(`This fails with nothing broken: ${failure.name}`);
  sound.add(file);
}

/** @returns the first test that failed. */
async function runTests(root: string, args: string[]): Promise<Failure | null> {
  const report = await readReport(root, ['--bail=1', ...args]);
  if (report === 'passed') return null;
  const failed = report?.testResults.find(({ status }) => status === 'failed');
  if (!failed) return { name: 'a test that never ends, or an error outside of all tests' };
  const assertion = failed.assertionResults.find(({ status }) => status === 'failed');
  return { file: failed.name, name: `${basename(failed.name)}: ${assertion?.fullName ?? 'does not load or end'}` };
}

/** @returns null where a run never ended or failed outside of all tests, so that nobody knows. */
async function findFailingFiles(root: string, rounds: string[][]): Promise<string[] | null> {
  const files: string[] = [];
  for (const round of rounds) {
    const report = await readReport(root, round);
    if (report === null) return null;
    if (report === 'passed') continue;
    const failing = report.testResults.filter(({ status }) => status === 'failed');
    if (failing.length === 0) return null;
    files.push(...failing.map(({ name }) => name));
  }
  return files;
}

/** A file that hangs has failed. @returns null for a run that wrote no report. */
async function readReport(root: string, args: string[]): Promise<Report | 'passed' | null> {
  const report = join(root, 'report.json');
  const unfinished = `${report}.unfinished`;
  for (const old of [report, unfinished]) rmSync(old, { force: true });
  const output = ['--reporter=./tests/support/report-what-hangs.ts', `--outputFile.json=${report}`];
  const limitMs = args.some((arg) => arg.startsWith('--project=')) ? PROJECT_LIMIT_MS : FILES_LIMIT_MS;
  if (await runTool(root, ['vitest/vitest.mjs', 'run', ...output, ...args], limitMs)) return 'passed';
  if (!existsSync(report)) return null;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const hung = existsSync(unfinished) ? readFileSync(unfinished, 'utf8').split('\n') : [];
  return {
    testResults: [
      ...testResults,
      ...hung.map((file) => ({ name: join(root, file), status: 'failed', assertionResults: [] })),
    ],
  };
}

/** The test files whose names say most of what the path says. */
function findNearest(root: string, path: string): string[] {
  const projects = projectsFor(path);
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
