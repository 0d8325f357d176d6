import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, parseEnv } from 'node:util';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import type { Person } from '#tests/bench/kills/client.ts';
import { prepareState, startMortalWorker } from '#tests/bench/kills/mortal-worker.ts';
import { Dice, showMs } from '#tests/support/dice.ts';
import { newId } from '#worker/identity/digests.ts';
import { signSessionToken, toSessionKeys } from '#worker/identity/session-token.ts';
import { foundPosts, lostPosts, makeThings, postQuickly } from './post-things.ts';
import { allComeBack, allListen, type Field, halfAreAway, Listener, type Measure } from './rounds.ts';

// Measures the time from the response to a new post until the notices about the post reach the owners' sockets. The
// Worker (in workerd) and the simulated people run on this machine.

const VARS = ['RATE_LIMITS:off'];
/** The time without an event after which a Durable Object hibernates, with its socket open. */
const ASLEEP_MS = 15_000;
const ROUNDS = [allListen, halfAreAway, allComeBack];

const NUMBER_DIGITS = 8;

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000' },
    posts: { type: 'string', default: '1000' },
    matches: { type: 'string', default: '5' },
    'per-second': { type: 'string', default: '5' },
    patience: { type: 'string', default: '180' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const size = { people: Number(values.people), posts: Number(values.posts), matches: Number(values.matches) };
const stateFolder = mkdtempSync(join(tmpdir(), 'patikana-live-'));
let field: Field | null = null;
try {
  await prepareState(stateFolder);
  const people = await insertPeople(stateFolder, size.people);
  const worker = await startMortalWorker(stateFolder, VARS);
  const listeners = people.map((person) => new Listener(person));
  const each = { owners: size.matches, finders: ROUNDS.length };
  const things = makeThings(people, size.posts, each, new Dice(Number(values.seed)));
  const pace = { perSecond: Number(values['per-second']), patienceMs: 1_000 * Number(values.patience) };
  field = { worker, stateFolder, vars: VARS, listeners, ...pace };
  await postQuickly(worker.origin, lostPosts(things));
  const memory = await measureMemory(field);
  const measures: Measure[] = [];
  for (const [round, play] of ROUNDS.entries()) measures.push(...(await play(field, foundPosts(things, round))));
  print(measures, memory);
  await Promise.all(listeners.map((listener) => listener.leave()));
  process.exitCode = measures.some(({ lost }) => lost > 0) ? 1 : 0;
} finally {
  await field?.worker.kill();
  rmSync(stateFolder, { recursive: true, force: true });
}

type Memory = { before: number; connected: number; asleep: number };

/**
 * Connects everybody.
 * @returns the Worker's memory before connecting, with all sockets open, and once the Durable Objects hibernate.
 */
async function measureMemory({ worker, listeners }: Field): Promise<Memory> {
  const before = worker.memoryBytes();
  for (const listener of listeners) await listener.connect(worker.origin);
  const connected = worker.memoryBytes();
  await sleep(ASLEEP_MS);
  return { before, connected, asleep: worker.memoryBytes() };
}

function print(measures: Measure[], memory: Memory): void {
  const kilobytesEach = (bytes: number) => Math.round((bytes - memory.before) / 1000 / size.people);
  if (values.json) console.log(JSON.stringify({ size, measures, memory }, null, 2));
  const rows = measures.map(({ what, count, times, lost }) => `| ${what} | ${count} | ${showMs(times)} | ${lost} |`);
  console.log(`${size.people} sockets, ${size.posts} posts a round, ${values['per-second']} a second, each of ${size.matches} people

| | count | p50 | p95 | p99 | most | lost |
| --- | --: | --: | --: | --: | --: | --: |
${rows.join('\n')}

workerd: ${Math.round(memory.before / 1e6)} MB before the sockets, ${kilobytesEach(memory.connected)} kB more a socket with its object, ${kilobytesEach(memory.asleep)} kB after ${ASLEEP_MS / 1000} s without an event`);
}

/**
 * Inserts people with a proven phone number into the database, and signs a session token for each. Registering a
 * thousand people would take minutes, because the Worker hashes each password.
 */
async function insertPeople(stateFolder: string, count: number): Promise<Person[]> {
  const rows = Array.from({ length: count }, (_, n) => {
    return { id: newId(), email: `mtu${n}@example.com`, number: `+2557${`${n}`.padStart(NUMBER_DIGITS, '0')}` };
  });
  await withLocalDatabase(stateFolder, async (db) => {
    const people = JSON.stringify(rows);
    const users = `
      insert into users (id, username, email, email_key, password_hash, created_at)
      select value ->> 'id', 'Mtu', value ->> 'email', value ->> 'email', '', ?2 from json_each(?1)`;
    const numbers = `
      insert into phone_numbers (number, user_id, proven_at)
      select value ->> 'number', value ->> 'id', ?2 from json_each(?1)`;
    await db.batch([users, numbers].map((statement) => db.prepare(statement).bind(people, Date.now())));
  });
  const { JWT_SECRET = '' } = parseEnv(readFileSync(join(PROJECT_ROOT, '.dev.vars'), 'utf8'));
  const keys = toSessionKeys(JWT_SECRET, null);
  return Promise.all(
    rows.map(async ({ id }) => ({
      id,
      token: await signSessionToken(keys, { userId: id, tokenVersion: 1, sessionId: crypto.randomUUID() }),
    })),
  );
}
