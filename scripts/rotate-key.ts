import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '#contract/durations.ts';
import { SESSION_LIFETIME_DAYS } from '#contract/limits.ts';
import { isMain, parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { runWrangler } from './wrangler/run-wrangler.ts';

const USAGE =
  'Usage: npm run rotate-key -- FILE [--remote] [--env staging], where FILE holds the secrets that are in use';
/** How long Cloudflare takes at most until all its locations use a new secret. */
const TAKEN_UP_MS = 60_000;
const NOTE = /^# JWT_SECRET_PREVIOUS has signed nothing since (\S+), and may go after (\S+)\.\n/m;

if (isMain(import.meta)) await runScript(replaceSecret);

/** Replaces the secret in the file and, with `--remote`, on Cloudflare. */
async function replaceSecret(): Promise<void> {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { remote: { type: 'boolean', default: false }, env: { type: 'string', default: '' } },
  });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw new UserError(USAGE);
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  const { steps, text } = rotate(read(path), new Date());
  // Saves the new secrets in a file before the Worker gets them. If a secret in use were lost, it would have to be
  // replaced, and everybody would be signed out.
  const kept = `${path}.next`;
  writeFileSync(kept, text, { mode: 0o600 });
  if (values.remote) {
    const [accepting, signing] = steps;
    await put(accepting, values.env);
    console.log('The new secret is accepted. In a minute it signs.');
    await wait(TAKEN_UP_MS);
    await put(signing, values.env);
  }
  renameSync(kept, path);
  console.log(`JWT_SECRET is replaced, and nobody is signed out. ${path} holds both.`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UserError(`${path} cannot be read.`);
  }
}

/**
 * Sets JWT_SECRET and JWT_SECRET_PREVIOUS in one request. With two requests, tokens of the old or the new secret would
 * be refused in between.
 */
async function put(secrets: SessionSecrets, environment: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'patikana-key-'));
  try {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    await runWrangler(['secret', 'bulk', file, `--env=${environment}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export type SessionSecrets = { JWT_SECRET: string; JWT_SECRET_PREVIOUS: string };

/**
 * A change of the session secret. `steps`: the secrets to set first, and the secrets to set a minute later. `text`: the
 * new content of the file of secrets.
 */
type Rotation = { steps: [accepting: SessionSecrets, signing: SessionSecrets]; text: string };

/**
 * Makes a new JWT_SECRET for a file of secrets. After the first step the Worker accepts tokens that are signed with the
 * new secret; after the second step it also signs with the new secret. One step is not enough, because Cloudflare's
 * locations start to use new secrets at different times. The old secret is accepted until its tokens have expired.
 * @throws UserError if the last rotation is so recent that tokens signed with JWT_SECRET_PREVIOUS may still be in use.
 */
export function rotate(text: string, now: Date, make = () => randomBytes(32).toString('base64url')): Rotation {
  const current = readSecret(text, 'JWT_SECRET');
  if (!current) throw new UserError('The file has no JWT_SECRET.');
  const [, , ends] = NOTE.exec(text) ?? [];
  if (ends && new Date(ends) > now) {
    throw new UserError(`JWT_SECRET was replaced already: until ${ends} another one would sign people out.`);
  }
  const next = make();
  const signing = { JWT_SECRET: next, JWT_SECRET_PREVIOUS: current };
  return { steps: [{ JWT_SECRET: current, JWT_SECRET_PREVIOUS: next }, signing], text: write(text, signing, now) };
}

function readSecret(text: string, name: string): string | undefined {
  return new RegExp(`^${name}=(\\S+)$`, 'm').exec(text)?.[1];
}

function write(text: string, { JWT_SECRET, JWT_SECRET_PREVIOUS }: SessionSecrets, now: Date): string {
  const end = new Date(now.getTime() + SESSION_LIFETIME_DAYS * DAY_MS);
  const rest = text.replace(NOTE, '').replace(/^JWT_SECRET_PREVIOUS=.*\n?/m, '');
  const note = `# JWT_SECRET_PREVIOUS has signed nothing since ${toDay(now)}, and may go after ${toDay(end)}.`;
  const lines = `JWT_SECRET=${JWT_SECRET}\n${note}\nJWT_SECRET_PREVIOUS=${JWT_SECRET_PREVIOUS}\n`;
  return rest.replace(/^JWT_SECRET=.*\n?/m, lines);
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}
