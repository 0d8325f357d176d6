import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

type Share = { version_id: string; percentage: number };
export type WorkerAnswer = { status?: number; code?: number; result: unknown };

export type StandInWorker = {
  /** What people were given, one line for each deployment. */
  deployed: string[];
  /** Answers wrangler, as far as it looks at the answers. @returns null to what it is not asked about here. */
  answerWrangler(method: string, path: string, body: string): WorkerAnswer | null;
  /** Where it answers visitors. */
  origin: string;
  close(): void;
};

export type WorkerOptions = {
  /** Whether a version is in place already. */
  isThere?: boolean;
  /** The newest migration of the objects' classes that it has been through. */
  migrationTag?: string;
  /** The share of people from which on the new version answers no feed. */
  isSickFrom?: number;
};

const OLD = '11111111-1111-4111-8111-111111111111';
const NEW = '22222222-2222-4222-8222-222222222222';
const PAGE = '<html><script src="/assets/app.js"></script></html>';

/** A deployed Worker as wrangler and visitors see it. */
export async function startStandInWorker(options: WorkerOptions = {}): Promise<StandInWorker> {
  const { isThere = true, migrationTag = 'v1', isSickFrom = Number.POSITIVE_INFINITY } = options;
  let split: Share[] = isThere ? [{ version_id: OLD, percentage: 100 }] : [];
  const deployed: string[] = [];

  function deploy(shares: Share[]): WorkerAnswer {
    split = shares;
    deployed.push(shares.map(({ version_id, percentage }) => `${nameOf(version_id)} ${percentage}`).join(', '));
    return { result: { id: 'deployment' } };
  }

  function chooseVersion({ 'cloudflare-workers-version-overrides': override }: IncomingHttpHeaders): Share | undefined {
    const [most] = split.toSorted((one, other) => other.percentage - one.percentage);
    return split.find(({ version_id }) => override === `patikana-staging="${version_id}"`) ?? most;
  }

  const server = createServer(({ url, headers }, response) => {
    const { version_id = OLD, percentage = 0 } = chooseVersion(headers) ?? {};
    const isSick = version_id === NEW && percentage >= isSickFrom;
    const { status, type, body } = answerAs(version_id, isSick, new URL(url ?? '/', 'http://stand-in').pathname);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    deployed,
    answerWrangler(method, path, body) {
      if (/\/scripts\/[^/]+$/.test(path) && method === 'PUT') return deploy([{ version_id: NEW, percentage: 100 }]);
      if (split.length === 0) return null;
      if (/\/services\/[^/]+$/.test(path)) return { result: describeService(migrationTag) };
      if (path.endsWith('/versions')) return takeVersion(body);
      if (/\/versions\/[^/]+$/.test(path)) return { result: describeVersion(path.split('/').at(-1) ?? '') };
      if (!path.endsWith('/deployments')) return null;
      if (method === 'POST') return deploy((JSON.parse(body) as { versions: Share[] }).versions);
      return { result: { deployments: [{ id: 'deployment', ...AUTHORED, versions: split }] } };
    },
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const AUTHORED = {
  created_on: '2026-11-22T10:00:00Z',
  author_email: 'asha@example.com',
  source: 'api',
  annotations: {},
};

function nameOf(version: string): string {
  return version === OLD ? 'old' : 'new';
}

/** As the platform does, it takes no version with a change of the objects' classes. */
function takeVersion(body: string): WorkerAnswer {
  if (body.includes('"migrations"')) return { status: 400, code: 10211, result: null };
  return { result: { id: NEW, startup_time_ms: 1, metadata: { has_preview: false } } };
}

function describeService(migrationTag: string) {
  return { default_environment: { script: { migration_tag: migrationTag, tag: 'tag' } } };
}

function describeVersion(id: string) {
  return { id, number: 1, metadata: AUTHORED, annotations: {}, resources: { bindings: [], script_runtime: {} } };
}

function answerAs(version: string, isSick: boolean, path: string): { status: number; type: string; body: string } {
  const json = (status: number, body: unknown) => ({ status, type: 'application/json', body: JSON.stringify(body) });
  if (path === '/api/health') return json(200, { status: 'ok', version, checks: {} });
  if (path === '/api/posts') return isSick ? json(500, { code: 'unexpected' }) : json(200, []);
  if (path.startsWith('/api/')) return json(404, { code: 'not_found' });
  if (path.startsWith('/assets/')) return { status: 200, type: 'text/javascript', body: '' };
  return { status: 200, type: 'text/html', body: PAGE };
}
