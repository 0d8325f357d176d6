import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { PostEntry } from '#contract/posts.ts';
import { DEMO_POSTS, type DemoPost } from '#scripts/database/demo-posts.ts';
import { NO_DETAILS } from '#tests/support/posts.ts';
import { isAppAddress } from '#worker/http/middleware.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};
const COMPRESSED = /html|javascript|css|json|svg|text/;

type Options = {
  /** The built app, `dist`. */
  directory: string;
  /**
   * The Worker's origin, such as `http://127.0.0.1:8787`, for requests of `/api` and photos. Without a Worker, a
   * visitor gets the demo posts only.
   */
  worker?: string;
};

type Asset = { body: Buffer; plain: Buffer; type: string; etag: string; isCompressed: boolean };

export type BuiltApp = {
  /** The server on a free port of this machine, and its origin. */
  server: Server;
  origin: string;
  countTraffic(): Traffic;
};

/**
 * Serves the built app as Cloudflare does: brotli, ETags, the real `_headers`, and index.html for all other URLs of the
 * app.
 */
export async function serveBuiltApp({ directory, worker }: Options): Promise<BuiltApp> {
  const rules = parseHeaders(readFileSync(join(directory, '_headers'), 'utf8'));
  const assets = new Map<string, Asset>();
  const server = createServer((message, response) => {
    const path = new URL(message.url ?? '/', 'http://localhost').pathname;
    const isPhoto = worker !== undefined && path.startsWith('/photos/');
    if (path === '/api' || path.startsWith('/api/') || isPhoto) return answerApi(message, response, worker);
    if (path === '/view-posts' && worker !== undefined) return sendPage(message, response, worker);
    const name = findAsset(directory, path) ?? (isAppAddress(path) ? 'index.html' : null);
    if (name === null) return void response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
    const asset = assets.get(name) ?? readAsset(join(directory, name));
    assets.set(name, asset);
    sendAsset(message, response, asset, headersFor(rules, path));
  });
  const countTraffic = watchTraffic(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { server, origin: `http://127.0.0.1:${address.port}`, countTraffic };
}

/** The bytes sent to the browser so far, including headers, for the page and its service worker. */
export type Traffic = { bytes: number; requests: number };

function watchTraffic(server: Server): () => Traffic {
  const sockets = new Set<Socket>();
  let requests = 0;
  server.on('connection', (socket) => sockets.add(socket));
  server.on('request', () => requests++);
  return () => ({ requests, bytes: [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) });
}

function findAsset(directory: string, path: string): string | undefined {
  const name = normalize(decodeURIComponent(path)).replace(/^\/+/, '');
  const isServed = (file: string) => existsSync(join(directory, file)) && statSync(join(directory, file)).isFile();
  return name === '' || name.startsWith('_') ? undefined : [name, `${name}.html`].find(isServed);
}

function readAsset(file: string): Asset {
  const plain = readFileSync(file);
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const isCompressed = COMPRESSED.test(type);
  const body = isCompressed ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }) : plain;
  return {
    body,
    plain,
    type,
    etag: `"${createHash('sha256').update(plain).digest('hex').slice(0, 32)}"`,
    isCompressed,
  };
}

function sendAsset(message: IncomingMessage, response: ServerResponse, asset: Asset, headers: HeaderRule['set']): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('ETag', asset.etag);
  if (message.headers['if-none-match'] === asset.etag) return void response.writeHead(304).end();
  const takesBrotli = asset.isCompressed && /\bbr\b/.test(String(message.headers['accept-encoding'] ?? ''));
  response.setHeader('Content-Type', asset.type);
  if (asset.isCompressed) response.setHeader('Vary', 'Accept-Encoding');
  if (takesBrotli) response.setHeader('Content-Encoding', 'br');
  const body = takesBrotli ? asset.body : asset.plain;
  response.writeHead(200, { 'Content-Length': body.length }).end(body);
}

/**
 * Sends /view-posts, the only file of the app to which the Worker adds posts. Compresses the page with a lower brotli
 * quality than other files, as Cloudflare does with streamed responses.
 */
function sendPage(message: IncomingMessage, response: ServerResponse, worker: string): void {
  const asked = request(new URL(message.url ?? '/', worker), { headers: message.headers }, async (answer) => {
    const plain = Buffer.concat(await answer.toArray());
    const body = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    const { 'transfer-encoding': _, 'content-length': __, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, {
      ...headers,
      'Content-Encoding': 'br',
      'Content-Length': body.length,
    });
    response.end(body);
  });
  asked.on('error', () => response.writeHead(502).end()).end();
}

const isReturned = ({ as }: NonNullable<DemoPost['ended']>) => as === 'returned';

const DEMO_LIST: PostEntry[] = DEMO_POSTS.filter(
  ({ community, ended }) => community === undefined && (!ended || isReturned(ended)),
)
  .map(({ author: _author, ageMs, ended, ...post }, at) => ({
    Post: {
      ...NO_DETAILS,
      ...post,
      id: `demo-${at}`,
      on_behalf: false,
      kept_at: post.kept_at ?? null,
      is_contact_limited: false,
      is_found: ended !== undefined,
      state: ended ? ('returned' as const) : ('open' as const),
      contact: 'number' as const,
      is_mine: false,
      is_hidden: false,
      hidden_by: [],
      photos: [],
      created_at: new Date(Date.now() - ageMs).toISOString(),
    },
  }))
  .reverse();

function answerApi(message: IncomingMessage, response: ServerResponse, worker: string | undefined): void {
  if (worker === undefined) {
    const list = message.url?.startsWith('/api/posts?') ? DEMO_LIST : [];
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    return void response.end(JSON.stringify(list));
  }
  const forwarded = request(new URL(message.url ?? '/', worker), { method: message.method, headers: message.headers });
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.writeHead(502).end());
  message.pipe(forwarded);
}

/** One block of a `_headers` file: its paths, the headers that it sets, and the earlier headers that it removes. */
type HeaderRule = { path: RegExp; set: [name: string, value: string][]; drop: string[] };

function parseHeaders(text: string): HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const current = rules.at(-1);
    if (!/^\s/.test(line)) rules.push({ path: toPattern(line.trim()), set: [], drop: [] });
    else if (line.trim().startsWith('!')) current?.drop.push(line.trim().slice(1).trim().toLowerCase());
    else current?.set.push([line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]);
  }
  return rules;
}

/** Returns the headers that the `_headers` file sets for one path. Later blocks override earlier ones. */
function headersFor(rules: HeaderRule[], path: string): [name: string, value: string][] {
  const headers = new Map<string, [string, string]>();
  for (const rule of rules) {
    if (!rule.path.test(path)) continue;
    for (const name of rule.drop) headers.delete(name);
    for (const [name, value] of rule.set) headers.set(name.toLowerCase(), [name, value]);
  }
  return [...headers.values()];
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
}
