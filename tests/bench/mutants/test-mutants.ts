/**
 * How much would the tests see? Breaks the sources in small ways in a copy of the working tree, runs the nearest tests on
 * each and then all tests on what those did not see, and prints which of them failed, or UNSEEN, and the score by noun.
 *
 *   npm run test:mutants                          60 mutants by today's seed, which is printed
 *   npm run test:mutants -- --seed 7 --count 40   the same ones again
 *   npm run test:mutants -- --only web/lib        of these sources alone; may stand more than once
 *   npm run test:mutants -- --floor 90            fails below 90 %
 *
 * A mutant that the compiler or the linter refuses is not counted. Some that stay unseen change nothing that anybody could notice: look
 * before you write a test.
 */
import { parseOptions } from '#scripts/command/parse-options.ts';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { runScript, UserError } from '#scripts/command/user-error.ts';
import { chooseMutants, type Mutant } from './choose-mutants.ts';
import { describeMutant, printScore, type Tried } from './print-score.ts';
import { makeScratchCopy } from './scratch-copy.ts';
import { hasTypes, tryAllTests, tryNearest } from './try-mutant.ts';

await runScript(async () => {
  const { values } = parseOptions({
    options: {
      seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
      count: { type: 'string', default: '60' },
      only: { type: 'string', multiple: true, default: [''] },
      floor: { type: 'string', default: '0' },
    },
  });
  const root = makeScratchCopy(PROJECT_ROOT);
  const mutants = chooseMutants(root, Number(values.seed), values.only);
  console.log(`Seed ${values.seed}: ${values.count} of ${mutants.length} possible mutants.`);
  if (!(await hasTypes(root))) throw new UserError('The types do not fit even unbroken.');
  const tried: Tried[] = [];
  let score = 0;
  try {
    await tryAll(root, mutants, Number(values.count), tried);
  } finally {
    score = printScore(tried);
  }
  if (score < Number(values.floor)) throw new UserError(`Below the floor of ${values.floor} %.`);
});

/** Adds what it tried to `tried`, so that there is a score of that whatever comes. */
async function tryAll(root: string, mutants: Mutant[], count: number, tried: Tried[]): Promise<void> {
  for (const mutant of mutants) {
    if (tried.filter(({ verdict }) => verdict.state !== 'refused').length === count) break;
    const verdict = await tryNearest(root, mutant);
    console.log(describeMutant(mutant, verdict));
    tried.push({ mutant, verdict });
  }
  const open = tried.filter(({ verdict }) => verdict.state === 'open');
  const verdicts = await tryAllTests(
    root,
    open.map(({ mutant }) => mutant),
  );
  for (const one of open) {
    one.verdict = verdicts.get(one.mutant) ?? one.verdict;
    console.log(describeMutant(one.mutant, one.verdict));
  }
}
