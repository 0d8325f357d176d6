import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mutant } from './choose-breakages.ts';
import type { Reach } from './measure-reach.ts';
import { ownerOf } from './reach-plugin.ts';
import { runTests } from './run-tests.ts';
import { runTool } from './run-tool.ts';
import { breakCopy, type ScratchCopy } from './scratch-copy.ts';

/** `by` names the test that failed. What the compiler refuses is no mutant: nobody could commit it. */
export type Verdict = { state: 'seen'; by: string } | { state: 'unseen' } | { state: 'refused' };

/** How many of the test files that are likeliest to see a mutant are run before the others. */
const NEAREST_FILES = 5;
/** Words of a path that say nothing of what it is about. */
const COMMON = new Set(['test', 'worker', 'web', 'contract', 'durable', 'rule', 'store', 'route', 'use', 'screen']);

/** Whether the types of the copy fit. */
export async function hasTypes({ root }: ScratchCopy, limitSeconds: number): Promise<boolean> {
  return (await runTool(root, ['typescript/bin/tsc', '-b'], limitSeconds)) === 'passed';
}

/** Breaks the copy, looks whether a test that reaches the place fails, and mends it again. */
export async function tryMutant(
  copy: ScratchCopy,
  reach: Reach,
  mutant: Mutant,
  limitSeconds: number,
): Promise<Verdict> {
  const source = readFileSync(join(copy.root, mutant.path), 'utf8');
  const owner = ownerOf(mutant.path, source, mutant);
  const files = [...reach].filter(([, reached]) => reached.has(owner)).map(([file]) => file);
  const nearest = sortByNearness(files, mutant.path);
  const mend = breakCopy(copy, mutant);
  try {
    if (!(await hasTypes(copy, limitSeconds))) return { state: 'refused' };
    for (const some of [nearest.slice(0, NEAREST_FILES), nearest.slice(NEAREST_FILES)]) {
      const by = await findFailure(copy, some, limitSeconds);
      if (by !== null) return { state: 'seen', by };
    }
    return { state: 'unseen' };
  } finally {
    mend();
  }
}

/** @returns a test that fails twice: one that fails by chance has seen nothing. */
async function findFailure(copy: ScratchCopy, files: string[], limitSeconds: number): Promise<string | null> {
  if (files.length === 0) return null;
  const first = await runTests(copy, ['--bail=1', ...files], limitSeconds);
  if (first.ending === 'passed') return null;
  const suspects = first.results.filter(({ failure }) => failure !== null).map(({ file }) => file);
  const second = await runTests(copy, ['--bail=1', ...(suspects.length > 0 ? suspects : files)], limitSeconds);
  const [failed] = second.results.filter(({ failure }) => failure !== null);
  if (failed) return `${basename(failed.file)}: ${failed.failure}`;
  if (second.ending !== 'passed')
    return second.ending === 'too slow' ? 'a test that never ends' : 'an error outside of all tests';
  const others = files.filter((file) => !suspects.includes(file));
  return suspects.length > 0 ? findFailure(copy, others, limitSeconds) : null;
}

/** First the test files whose names say most of what the path says. */
function sortByNearness(files: string[], path: string): string[] {
  const words = wordsOf(path);
  const nearness = (file: string) => wordsOf(file).filter((word) => words.includes(word)).length;
  return files.sort((left, right) => nearness(right) - nearness(left));
}

/** `web/lib/outbox-sender.ts` is about `lib`, `outbox` and `sender`; plurals count as singulars. */
function wordsOf(path: string): string[] {
  const words = path.replace(/(\.test)?\.tsx?$/, '').split(/[/-]/);
  return words.map((word) => word.replace(/ies$/, 'y').replace(/s$/, '')).filter((word) => !COMMON.has(word));
}
