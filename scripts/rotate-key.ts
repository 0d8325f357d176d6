import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { rotate, type SessionSecrets } from './keys/session-secrets.ts';
import { runWrangler } from './wrangler/run-wrangler.ts';

const USAGE =
  'Usage: npm run rotate-key -- FILE [--remote] [--env staging], where FILE holds the secrets that are in use';
/** How long Cloudflare takes at most until all its locations use a new secret. */
const TAKEN_UP_MS = 60_000;

await runScript(async () => {
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
});

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
