import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unstable_splitSqlQuery as splitSql } from 'wrangler';
import type { LocalDatabase } from '#scripts/database/local-database.ts';
import type { StandInWorker } from './stand-in-worker.ts';

export const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';

export type CloudflareApi = {
  /** What points wrangler here. */
  env: Record<string, string>;
  /** What was asked so far: method and path below the account, and the SQL where there was some. */
  asked: string[];
  close(): void;
};

type Answer = { status?: number; code?: number; result: unknown; headers?: Record<string, string> };
type Asked = { method: string; path: string; names: string[]; body: string };
type Query = { sql: string };
type Import = { action: 'init' | 'ingest' | 'poll' };
type Export = { dump_options: { no_schema: boolean; no_data: boolean; tables: string[] } };

/**
 * Stands in for Cloudflare's API to wrangler: one real local D1 database is the deployed one.
 * @param worker without one there is none yet, and the first is taken as it comes.
 */
export async function startCloudflareApi(
  db: LocalDatabase,
  refuse: RegExp = /^$/,
  worker?: StandInWorker,
): Promise<CloudflareApi> {
  const asked: string[] = [];
  const files = new Map<string, string>();
  const server = createServer(async (incoming, outgoing) => {
    const request = await read(incoming);
    const sql = request.path.endsWith('/query') ? ` ${(JSON.parse(request.body) as Query).sql}` : '';
    const line = `${request.method} ${request.path}${sql}`;
    asked.push(line);
    const { status = 200, code, result, headers = {} } = refuse.test(line) ? REFUSED : await answer(request);
    const body = typeof result === 'string' ? result : JSON.stringify(wrap(status, code, result));
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer({ method, path, names, body }: Asked): Promise<Answer> {
    if (path.endsWith('/time_travel/bookmark')) return { result: { bookmark: BOOKMARK } };
    if (path.endsWith('/query')) return queryDatabase(db, body);
    if (path.endsWith('/export')) return exportDatabase(body);
    if (path.endsWith('/import')) return importFile(JSON.parse(body) as Import);
    if (path === '/file' && method === 'PUT') return keepFile(body);
    if (path === '/file') return { result: files.get('file') ?? '' };
    if (path.includes('/d1/database/')) return { result: { uuid: 'uuid', name: 'patikana', version: 'production' } };
    if (path.endsWith('/queues') && method === 'GET') return { result: names.map(describeQueue) };
    return worker?.answerWrangler(method, path, body) ?? answerFirstDeployment(path);
  }

  async function exportDatabase(body: string): Promise<Answer> {
    const { no_schema, no_data, tables } = (JSON.parse(body) as Export).dump_options;
    const statement = db
      .prepare('PRAGMA miniflare_d1_export(?,?,?);')
      .bind(Number(no_schema), Number(no_data), ...tables);
    const [lines = []] = await statement.raw<string[]>();
    files.set('file', lines.join('\n'));
    const result = { filename: 'file', signed_url: `${origin}/file` };
    return { result: { success: true, type: 'export', status: 'complete', messages: [], result } };
  }

  function keepFile(body: string): Answer {
    files.set('file', body);
    return { result: '', headers: { etag: createHash('md5').update(body).digest('hex') } };
  }

  async function importFile({ action }: Import): Promise<Answer> {
    if (action === 'init') return { result: { success: true, upload_url: `${origin}/file`, filename: 'file' } };
    const statements = splitSql(files.get('file') ?? '');
    await db.batch(statements.map((statement) => db.prepare(statement)));
    const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 1 };
    const result = { num_queries: statements.length, final_bookmark: BOOKMARK, meta };
    return { result: { success: true, type: 'import', status: 'complete', messages: [], result } };
  }

  return {
    asked,
    env: {
      CLOUDFLARE_API_BASE_URL: `${origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'a-token-of-the-stand-in',
      CLOUDFLARE_ACCOUNT_ID: 'account',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const REFUSED: Answer = { status: 403, result: null };

function wrap(status: number, code: number | undefined, result: unknown) {
  const refusal = code ?? (status === 404 ? 10007 : 10000);
  const errors = status < 400 ? [] : [{ code: refusal, message: 'The stand-in refuses.' }];
  return { success: status < 400, errors, messages: [], result };
}

async function queryDatabase(db: LocalDatabase, body: string): Promise<Answer> {
  const results = await db.batch(splitSql((JSON.parse(body) as Query).sql).map((statement) => db.prepare(statement)));
  return { result: results };
}

/** Every queue is there that wrangler asks for. */
function describeQueue(name: string) {
  return { queue_id: name, queue_name: name, consumers: [], producers: [] };
}

/** The first deployment of a Worker, as far as wrangler looks at the answers. */
function answerFirstDeployment(path: string): Answer {
  if (/\/(services\/[^/]+|secrets)$/.test(path)) return { status: 404, result: null };
  if (path.endsWith('/subdomain')) return { result: { subdomain: 'stand-in', enabled: true } };
  if (path.endsWith('/deployments')) return { result: { deployments: [] } };
  if (path.endsWith('/settings')) return { result: { bindings: [], migration_tag: 'v1' } };
  if (path.endsWith('/assets-upload-session')) return { result: { jwt: 'jwt', buckets: [] } };
  return { result: { id: 'patikana' } };
}

async function read(incoming: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stand-in');
  const path = pathname.replace('/client/v4/accounts/account', '');
  const body = Buffer.concat(chunks).toString();
  return { method: incoming.method ?? 'GET', path, names: searchParams.getAll('name'), body };
}
