/**
 * How much would the tests see? Breaks the sources in small ways, one at a time, in a copy of the working tree, runs the
 * tests that reach the place, and prints which of them failed, or UNSEEN, and the score by noun.
 *
 *   npm run test:mutants                          60 mutants by today's seed, which is printed
 *   npm run test:mutants -- --seed 7 --count 40   the same ones again
 *   npm run test:mutants -- --only web/lib        of these sources alone
 *   npm run test:mutants -- --floor 90            fails below 90 %
 *   npm run test:mutants -- --minutes 5           starts none after five minutes, and ends with 75 when some are left
 *
 * The first run also measures which tests reach what, as long as the whole suite takes. Both, and each mutant's verdict,
 * are kept beside the copy in the system's temporary folder: the next run goes on from there, and tries an unseen mutant
 * again once a test has changed. A mutant that the compiler refuses is not counted; one that no test ends in time with is
 * seen. Some that stay unseen change nothing that anybody could notice: look before you write a test.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseMutants, type Mutant } from './choose-breakages.ts';
import { measureReach } from './measure-reach.ts';
import { describeMutant, printScore } from './print-score.ts';
import { prepareScratchCopy, type ScratchCopy } from './scratch-copy.ts';
import { hasTypes, tryMutant, type Verdict } from './try-mutant.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const UNFINISHED = 75;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
    count: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    floor: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '600' },
    'limit-seconds': { type: 'string', default: '240' },
  },
});
const count = Number(values.count);
const limitSeconds = Number(values['limit-seconds']);
const endsAt = Date.now() + Number(values.minutes) * 60_000;
const isLate = () => Date.now() >= endsAt;

type Kept = { key: string; tests: string; verdict: Verdict };

const copy = prepareScratchCopy(ROOT);
const mutants = chooseMutants(copy.root, Number(values.seed), values.only);
console.log(`Seed ${values.seed}: ${count} of ${mutants.length} possible mutants.`);
if (!(await hasTypes(copy, limitSeconds))) throw new Error('The types do not fit even unbroken.');
const tried = await tryAll();
const score = printScore(tried);
if (tried.length < count) {
  console.log(`${count - tried.length} are left: run it again to go on.`);
  process.exitCode = UNFINISHED;
} else if (score < Number(values.floor)) {
  console.error(`Below the floor of ${values.floor} %.`);
  process.exitCode = 1;
}

async function tryAll(): Promise<{ mutant: Mutant; verdict: Verdict }[]> {
  const reach = await measureReach(copy, limitSeconds, isLate);
  const known = readKept(copy);
  const tried: { mutant: Mutant; verdict: Verdict }[] = [];
  for (const mutant of reach ? mutants : []) {
    if (reach === null || tried.filter(({ verdict }) => verdict.state !== 'refused').length === count) break;
    const kept = known.get(mutant.key);
    if (!kept && isLate()) break;
    const verdict = kept ?? (await tryMutant(copy, reach, mutant, limitSeconds));
    if (!kept) {
      keep(copy, mutant, verdict);
      console.log(describeMutant(mutant, verdict));
    }
    tried.push({ mutant, verdict });
  }
  return tried;
}

/** What was seen stays seen, as tests are added and not taken away; what was not is tried again with other tests. */
function readKept({ verdictsFile, testsDigest }: ScratchCopy): Map<string, Verdict> {
  if (!existsSync(verdictsFile)) return new Map();
  const lines = readFileSync(verdictsFile, 'utf8').split('\n').filter(Boolean);
  const kept = lines.map((line) => JSON.parse(line) as Kept);
  const valid = kept.filter(({ tests, verdict }) => verdict.state !== 'unseen' || tests === testsDigest);
  return new Map(valid.map(({ key, verdict }) => [key, verdict]));
}

function keep({ verdictsFile, testsDigest }: ScratchCopy, { key }: Mutant, verdict: Verdict): void {
  appendFileSync(verdictsFile, `${JSON.stringify({ key, tests: testsDigest, verdict } satisfies Kept)}\n`);
}
