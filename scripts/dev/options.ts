import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, PROJECT_ROOT, parseOptions, UserError } from '#scripts/command/command.ts';

export type DevArguments = {
  port: number;
  stateFolder: string;
  isEmpty: boolean;
  /** Whether to delete the local data before the start. */
  isReset: boolean;
  /** Whether the browser applies changes to the web app without a reload. */
  isHot: boolean;
  /** Variables for the Worker, each as `KEY:VALUE`, the format of wrangler's `--var`. */
  vars: string[];
};

export const DEFAULT_PORT = 8787;
const PORT_MAX = 65_535;

/** Parses the arguments of `npm run dev`. @throws UserError with the name of the invalid argument. */
export function parseDevArguments(argv: string[]): DevArguments {
  const { values } = parseOptions({
    args: argv,
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
      empty: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      hot: { type: 'boolean', default: false },
      var: { type: 'string', multiple: true, default: [] },
    },
  });
  return {
    port: parsePort(values.port),
    stateFolder: resolveStateFolder(values['persist-to']),
    isEmpty: values.empty,
    isReset: values.reset,
    isHot: values.hot,
    vars: values.var.map(checkVar),
  };
}

function parsePort(typed: string): number {
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (port < 1 || port > PORT_MAX) throw new UserError(`--port takes a number from 1 to ${PORT_MAX}, not "${typed}".`);
  return port;
}

function checkVar(pair: string): string {
  if (!/^[A-Za-z_]\w*:/.test(pair)) throw new UserError(`--var takes KEY:VALUE, not "${pair}".`);
  return pair;
}

const PAUSE_MS = 100;
const PATIENCE_MS = 5_000;

/** Requires that no other process uses the port. @throws UserError if one does. */
export function assertPortFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      const reason = errorCode(error) === 'EADDRINUSE' ? 'is taken' : `cannot be used (${errorCode(error)})`;
      reject(new UserError(`Port ${port} ${reason}. Choose another: npm run dev -- --port ${port + 1}`));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Resolves once the URL gives any response. Retries refused and stuck connections. */
export async function waitForAnswer(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
      await answer.arrayBuffer();
      return;
    } catch {
      await sleep(PAUSE_MS);
    }
  }
}

/** Secrets that need no special format. `.dev.vars.example` explains the purpose of each. */
const SECRETS = ['JWT_SECRET', 'CODE_KEY', 'LIMIT_KEY', 'PHOTO_KEY', 'IDENTIFIER_KEY'];

/**
 * Settings for local development. The WhatsApp number is invented: `POST /api/dev/whatsapp-incoming` simulates messages
 * to this number.
 */
const SETTINGS: [name: string, value: string][] = [
  ['ADMIN_STEP_UP', 'off'],
  ['WHATSAPP_DISPLAY_NUMBER', '+255700000100'],
  ['VAPID_SUBJECT', 'mailto:posta@patikana.test'],
];

/** Keys that need a special format: a random text would be invalid. */
const KEYS: [name: string, make: () => string][] = [['VAPID_PRIVATE_KEY', () => `'${JSON.stringify(makeVapidKey())}'`]];

/** Makes a private P-256 key, which identifies us to push services. */
export function makeVapidKey(): JsonWebKey {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}

/**
 * Adds missing settings and secrets to `.dev.vars`. Changes no existing line: a new JWT_SECRET would sign everybody
 * out.
 */
export function ensureDevVars(projectRoot: string): void {
  const path = join(projectRoot, '.dev.vars');
  try {
    const known = existsSync(path) ? readFileSync(path, 'utf8') : 'WHATSAPP_TRANSPORT=local\n';
    const isMissing = (name: string) => !new RegExp(`^${name}=`, 'm').test(known);
    const made = [
      ...SETTINGS.filter(([name]) => isMissing(name)).map(([name, value]) => `${name}=${value}\n`),
      ...KEYS.filter(([name]) => isMissing(name)).map(([name, make]) => `${name}=${make()}\n`),
      ...SECRETS.filter(isMissing).map((name) => `${name}=${randomBytes(32).toString('base64url')}\n`),
    ];
    if (made.length === 0) return;
    writeFileSync(path, `${known.replace(/\n?$/, '\n')}${made.join('')}`, { mode: 0o600 });
  } catch (error) {
    throw new UserError(`${path} cannot be written (${errorCode(error)}).`);
  }
}

export const DEFAULT_STATE_FOLDER = '.wrangler/state';

/**
 * Returns the absolute path of the folder with local data. @throws UserError for an empty path, which would resolve
 * to the checkout's root.
 */
export function resolveStateFolder(folder: string): string {
  if (folder.trim() === '') throw new UserError('--persist-to needs a folder.');
  return resolve(PROJECT_ROOT, folder);
}

/** Creates the folder if it is missing. @throws UserError if the folder is not writable. */
export function prepareStateFolder(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new UserError(`The state folder ${folder} cannot be written (${errorCode(error)}).`);
  }
}

/** Creates folders one by one: Node's recursive mkdir never returns where no folder can be created, such as /proc. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
