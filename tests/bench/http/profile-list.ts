import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { type LocalDatabase, withLocalDatabase } from '#scripts/database/local-database.ts';
import { prepareDatabase } from '#scripts/database/prepare-database.ts';
import { ensureDevVars } from '#scripts/dev/ensure-dev-vars.ts';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';
import { sumProfile } from './sum-profile.ts';

// Where the processor time of a list of 20 goes. The app runs in this process, on a real D1 whose first answers are
// replayed, so that only our own code is measured.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '3000' },
    path: { type: 'string', default: '/api/posts?limit=20' },
  },
});
const stateFolder = mkdtempSync(join(tmpdir(), 'patikana-profile-'));
try {
  ensureDevVars(PROJECT_ROOT);
  packLexiconOfSources();
  await prepareDatabase(stateFolder, { isEmpty: false });
  const { app } = await import('#worker/app.ts');
  await withLocalDatabase(stateFolder, async (db) => {
    const vars = parseEnv(readFileSync(join(PROJECT_ROOT, '.dev.vars'), 'utf8'));
    const env = { ...vars, DB: remembering(db), RATE_LIMITS: 'off' };
    const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
    const ask = async () => {
      const answer = await app.fetch(new Request(`http://localhost${values.path}`), env as never, context as never);
      if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${await answer.text()}`);
      return answer.text();
    };
    for (let warm = 0; warm < 300; warm++) await ask();
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
    const begin = process.cpuUsage();
    for (let count = 0; count < Number(values.requests); count++) await ask();
    const { user, system } = process.cpuUsage(begin);
    const { profile } = await session.post('Profiler.stop');
    console.log(`${((user + system) / 1_000 / Number(values.requests)).toFixed(2)} ms of the processor a request\n`);
    console.log(sumProfile(profile));
  });
} finally {
  rmSync(stateFolder, { recursive: true, force: true });
}

/** The database, asked only once for each batch of statements. */
function remembering(db: LocalDatabase) {
  const known = new Map<string, Promise<unknown>>();
  const session = {
    prepare: (text: string) => ({ bind: (...values: unknown[]) => ({ text, values }) }),
    batch(statements: { text: string; values: unknown[] }[]) {
      const key = statements.map(({ text }) => text).join(';');
      const make = () => db.batch(statements.map(({ text, values }) => db.prepare(text).bind(...values)));
      const answer = known.get(key) ?? make();
      known.set(key, answer);
      return answer;
    },
  };
  return { withSession: () => session };
}
