import { PASSWORD, READERS } from './fill-people.ts';
import type { FilledDatabase } from './prepare-databases.ts';
import type { Route } from './routes.ts';
import { startCountingWorker } from './start-counting-worker.ts';

/** Requests sent before the measurement, so that code is compiled, data is in memory and the numbers are counted. */
const WARMING = 4;
const ROUNDS = 30;

export type Figures = {
  read: number;
  written: number;
  trips: number;
  bytes: number;
  time: Spread;
  /** The mean, because Linux counts processor time in steps of 10 ms. */
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

/** The cost of each route at each size. Each size gets the same requests. */
export async function measureRoutes(databases: FilledDatabase[], routes: Route[]): Promise<Map<Route, Figures[]>> {
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
