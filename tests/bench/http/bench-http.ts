import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { register } from '#tests/bench/kills/client.ts';
import { prepareState, startMortalWorker } from '#tests/bench/kills/mortal-worker.ts';
import { insertPeople } from '#tests/bench/live/insert-people.ts';
import { lostPosts, makeThings, postQuickly } from '#tests/bench/live/post-things.ts';
import { Dice } from '#tests/support/dice.ts';
import { type Asking, type Pressed, press, type Summary, summarise } from './press.ts';
import { startBareWorker } from './start-bare-worker.ts';

// Requests per second and processor time per request, next to a bare Hono route with one read of D1 in the same
// runtime. The rounds are interleaved, so that other load on the machine affects all of them alike.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '4' },
    posts: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
});
const PASSWORD = 'tumaini la kesho';
const stateFolder = mkdtempSync(join(tmpdir(), 'patikana-http-'));
const stops: (() => Promise<void>)[] = [];
try {
  await prepareState(stateFolder);
  const people = await insertPeople(stateFolder, 30);
  const worker = await startMortalWorker(stateFolder, ['RATE_LIMITS:off']);
  stops.push(worker.kill);
  const bare = await startBareWorker(stateFolder);
  stops.push(bare.kill);
  const things = makeThings(people, Number(values.posts), { owners: 1, finders: 0 }, new Dice(1));
  await postQuickly(worker.origin, lostPosts(things));
  await register(worker.origin, 'anayeingia', '+255799000222');
  // Another than who signs in: an account keeps only so many sessions.
  const { token } = await register(worker.origin, 'anayesoma', '+255799000223');
  const asked = askings(worker.origin, token);
  const rounds: Record<string, Pressed[]> = {};
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, make] of Object.entries({ ...bareAskings(bare.origin), ...asked })) {
      const processorMs = name.startsWith('bare') ? bare.processorMs : worker.processorMs;
      const pace = { connections: Number(values.connections), seconds: Number(values.seconds), processorMs };
      const pressed = await press(make, pace);
      // The first round warms up.
      if (round > 0) rounds[name] = [...(rounds[name] ?? []), pressed];
    }
  }
  const summaries = Object.entries(rounds).map(([name, pressed]) => [name, summarise(pressed)] as const);
  if (values.json) console.log(JSON.stringify(Object.fromEntries(summaries), null, 2));
  print(summaries);
} finally {
  for (const stop of stops) await stop();
  rmSync(stateFolder, { recursive: true, force: true });
}

function get(url: string, headers: Record<string, string> = {}, status = 200): () => Asking {
  return () => ({ method: 'GET', url, headers, status });
}

function bareAskings(origin: string): Record<string, () => Asking> {
  return { 'bare, one row': get(`${origin}/api/one`), 'bare, 20 rows': get(`${origin}/api/page`) };
}

function askings(origin: string, token: string): Record<string, () => Asking> {
  const bearer = { Authorization: `Bearer ${token}` };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const credentials = new URLSearchParams({ username: 'anayeingia@example.com', password: PASSWORD });
  let made = 0;
  const post = () => ({
    title: `Begi la shule ${++made}`,
    owner_first_name: '',
    owner_last_name: '',
    location: 'Mwanza',
    phone_number: '0712345678',
    description: '',
    posted_by: 'finder',
  });
  return {
    'no such route: all that every request passes': get(`${origin}/api/nothing`, {}, 404),
    'list of 1': get(`${origin}/api/posts?limit=1`),
    'list of 20': get(`${origin}/api/posts?limit=20`),
    'list of 20, signed in': get(`${origin}/api/posts?limit=20`, bearer),
    search: get(`${origin}/api/posts?search=kitambulisho&limit=20`),
    'sign-in': () => ({
      method: 'POST',
      url: `${origin}/api/login`,
      headers: form,
      body: `${credentials}`,
      status: 200,
    }),
    post: () => ({
      method: 'POST',
      url: `${origin}/api/posts`,
      headers: { ...bearer, 'Content-Type': 'application/json' },
      body: JSON.stringify(post()),
      status: 201,
    }),
  };
}

function print(summaries: (readonly [name: string, Summary])[]): void {
  const [, one] = summaries[0] ?? [];
  const [, page] = summaries[1] ?? [];
  const times = (value: number, of: number | undefined) => `${(value / (of ?? Number.NaN)).toFixed(1)}×`;
  const rows = summaries.map(([name, { perSecond, p50, p99, processorMs }]) =>
    [
      `| ${name}`,
      perSecond.toFixed(0),
      `${p50.toFixed(1)} ms`,
      `${p99.toFixed(1)} ms`,
      `${processorMs.toFixed(2)} ms`,
      times(processorMs, one?.processorMs),
      `${times(processorMs, page?.processorMs)} |`,
    ].join(' | '),
  );
  console.log(`${values.connections} connections, ${values.rounds} rounds of ${values.seconds} s

| | a second | p50 | p99 | processor | of the bare row | of the bare page |
| --- | --: | --: | --: | --: | --: | --: |
${rows.join('\n')}`);
}
