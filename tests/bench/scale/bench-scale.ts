import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { findFreePort, waitForAnswer } from '#scripts/dev/options.ts';
import { startWorker, stopWorker } from '#scripts/dev/serve-worker.ts';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';
import { workerdProcessorMs } from '#tests/support/processes.ts';
import { PASSWORD, READERS } from './fill-people.ts';
import { type FilledDatabase, prepareDatabases } from './prepare-databases.ts';
import { BASELINES, ROUTES, type Route } from './routes.ts';

const SIZES = '10000,100000,1000000';
const D1_MAX_BYTES = 10_000_000_000;
/** Requests sent before the measurement, so that code is compiled and data is in memory. */
const WARMING = 4;
const ROUNDS = 30;
const HOST = '127.0.0.1';
const PATIENCE_MS = 120_000;

const { values } = parseArgs({ options: { sizes: { type: 'string', default: SIZES } } });
const sizes = values.sizes
  .split(',')
  .map(Number)
  .sort((a, b) => a - b);
packLexiconOfSources();
const databases = await prepareDatabases(sizes);
const routes = [...ROUTES, ...BASELINES];
const measured = await measureRoutes(databases, routes);
console.log(tableOf(sizes, routes, measured));
console.log();
for (const database of databases) console.log(weigh(database));

function tableOf(ofSizes: number[], all: Route[], figures: Map<Route, Figures[]>): string {
  const heads = [
    ...['', 'rows read', 'written', 'trips', 'bytes'],
    ...ofSizes.map((size) => `processor at ${nameOf(size)}, ms`),
    ...ofSizes.slice(1).map((size) => `ratio at ${nameOf(size)}`),
    'time through HTTP, p50 / p95, ms',
  ];
  const lines = all.map((route) => rowOf(route, figures.get(route) ?? []));
  return [heads, ['---', ...heads.slice(1).map(() => '--:')], ...lines]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function rowOf({ name, as }: Route, figures: Figures[]): string[] {
  const [first, ...others] = figures;
  const counts = (['read', 'written', 'trips', 'bytes'] as const).map((key) =>
    sameOrEach(figures.map((one) => one[key])),
  );
  return [
    as === 'visitor' ? name : `${name} (${as})`,
    ...counts,
    ...figures.map(({ processorMs }) => processorMs.toFixed(1)),
    ...others.map(({ processorMs }) => `${(processorMs / (first?.processorMs || 1)).toFixed(2)}×`),
    figures.map(({ time }) => `${time.p50.toFixed(0)} / ${time.p95.toFixed(0)}`).join(' → '),
  ];
}

/** Returns one number if the count is the same in all databases, else the count of each database. */
function sameOrEach(counts: number[]): string {
  const texts = counts.map((count) => count.toLocaleString('en'));
  return new Set(texts).size === 1 ? (texts[0] ?? '') : texts.join(' → ');
}

/** Returns a line on the bytes that a post takes, including its indexes and the data that matching stores about it. */
function weigh({ size, file }: FilledDatabase): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const one = (statement: string) => Object.values(db.prepare(statement).get() ?? {})[0] as number;
  const bytes = one('select page_count * page_size from pragma_page_count, pragma_page_size');
  const letters = one('select avg(length(search_text)) from posts').toFixed(0);
  const search = one("select sum(pgsize) from dbstat where name like 'posts%search%'");
  db.close();
  const each = bytes / size;
  return `${nameOf(size)} posts of ${letters} letters: ${each.toFixed(0)} bytes a post, ${(search / size).toFixed(0)} of them for searches: ${nameOf(Math.floor(D1_MAX_BYTES / each / 100_000) * 100_000)} in 10 GB`;
}

function nameOf(size: number): string {
  return size.toLocaleString('en');
}

type Figures = {
  read: number;
  written: number;
  trips: number;
  bytes: number;
  time: Spread;
  /** The mean of all rounds. Linux counts processor time in steps of 10 ms, which is too coarse for one request. */
  processorMs: number;
};
type Spread = { p50: number; p95: number };
type Answer = Omit<Figures, 'time'> & { ms: number };
type Server = {
  size: number;
  origin: string;
  readProcessorMs: () => number;
  tokens: Record<Route['as'], string | null>;
};

/** Measures the cost of each route in each database. All databases get the same requests. */
async function measureRoutes(databases: FilledDatabase[], routes: Route[]): Promise<Map<Route, Figures[]>> {
  const workers = [];
  try {
    const servers: Server[] = [];
    for (const { size, stateFolder } of databases) {
      const worker = await startCountingWorker(stateFolder);
      workers.push(worker);
      servers.push({ size, ...worker, tokens: await signIn(worker.origin) });
    }
    const measured = new Map<Route, Figures[]>();
    for (const route of routes) measured.set(route, await measureRoute(servers, route));
    return measured;
  } finally {
    for (const worker of workers) await worker.stop();
  }
}

async function measureRoute(servers: Server[], route: Route): Promise<Figures[]> {
  const answers: Answer[][] = servers.map(() => []);
  for (let round = -WARMING; round < ROUNDS; round++) {
    for (const [at, server] of servers.entries()) {
      const answer = await ask(server, route);
      if (round >= 0) answers[at]?.push(answer);
    }
  }
  return answers.map(summarise);
}

async function ask({ size, origin, readProcessorMs, tokens }: Server, { as, name, path }: Route): Promise<Answer> {
  const token = tokens[as];
  const before = readProcessorMs();
  const started = performance.now();
  const answer = await fetch(origin + path(size), {
    headers: token === null ? {} : { Authorization: `Bearer ${token}` },
  });
  const body = await answer.arrayBuffer();
  const ms = performance.now() - started;
  const processorMs = readProcessorMs() - before;
  if (!answer.ok) throw new Error(`${name} as ${as} answered ${answer.status}: ${new TextDecoder().decode(body)}`);
  const { read, written, trips } = JSON.parse(answer.headers.get('X-Cost') ?? '{}') as Answer;
  return { read, written, trips, bytes: body.byteLength, ms, processorMs };
}

function summarise(answers: Answer[]): Figures {
  const most = (key: keyof Answer) => Math.max(...answers.map((answer) => answer[key]));
  return {
    read: most('read'),
    written: most('written'),
    trips: most('trips'),
    bytes: most('bytes'),
    time: spreadOf(answers.map(({ ms }) => ms)),
    processorMs: answers.reduce((sum, { processorMs }) => sum + processorMs, 0) / answers.length,
  };
}

function spreadOf(figures: number[]): Spread {
  const inOrder = figures.toSorted((a, b) => a - b);
  const at = (share: number) => inOrder[Math.floor((inOrder.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

async function signIn(origin: string): Promise<Server['tokens']> {
  const tokens: Server['tokens'] = { visitor: null, reader: null, admin: null };
  for (const as of ['reader', 'admin'] as const) {
    const body = new URLSearchParams({ username: READERS[as], password: PASSWORD });
    const answer = await fetch(`${origin}/api/login`, { method: 'POST', body });
    tokens[as] = ((await answer.json()) as { access_token: string }).access_token;
  }
  return tokens;
}

/** Serves the folder's database with a Worker that counts queries. */
async function startCountingWorker(stateFolder: string) {
  const port = await findFreePort(HOST);
  const origin = `http://${HOST}:${port}`;
  const options = { host: HOST, port, stateFolder, vars: [] };
  const worker = startWorker({ ...options, entrypoint: 'tests/worker/support/counting-worker.ts' }, 'ignore');
  await waitForAnswer(`${origin}/api/posts?limit=1`, AbortSignal.timeout(PATIENCE_MS));
  const readProcessorMs = () => workerdProcessorMs(worker.pid ?? 0);
  return { origin, readProcessorMs, stop: () => stopWorker(worker) };
}
