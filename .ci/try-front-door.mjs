// node try-front-door.mjs: clones the repository and runs the commands of the README's first lines in the clone:
// installs the packages, then runs npm run dev, npx wrangler dev and a test. Uses the Node that runs this file, and
// the npm of Node 20. Fails at the first command that fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const NPM = ['npx', '--yes', 'npm@10.8.2'];
const PATIENCE_MS = 300_000;
const PAUSE_MS = 500;

const clone = mkdtempSync(join(tmpdir(), 'patikana-clone-'));
// The PATH without node_modules folders. The shell that starts this check may have put this checkout's tools on the
// PATH, but the clone must use its own tools.
const PATH = process.env.PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'));
const env = {
  ...process.env,
  PATH: PATH.join(delimiter),
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
};

try {
  await run(['git', 'clone', '--quiet', process.cwd(), clone], process.cwd());
  await run([...NPM, 'ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
  await serve([...NPM, 'exec', '--', 'wrangler', 'dev']);
  await serve([...NPM, 'run', 'dev', '--']);
  // Runs vitest directly: `npm test` would also check types and lint, which CI has already done.
  await run([...NPM, 'exec', '--', 'vitest', 'run', 'tests/unit/communities/community-rules.test.ts']);
} finally {
  rmSync(clone, { recursive: true, force: true, maxRetries: 10 });
}

async function run(command, cwd = clone) {
  const [code] = await once(start(command, cwd), 'exit');
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}.`);
}

/** Waits until the page and the API answer, then ends the command and all processes that it started. */
async function serve(command) {
  const port = await findFreePort();
  const child = start([...command, '--port', `${port}`], clone);
  const origin = `http://localhost:${port}`;
  try {
    await waitUntil(child, () => answers(`${origin}/api/posts`, /^\[/));
    await waitUntil(child, () => answers(origin, /<html/));
  } finally {
    await end(child);
  }
}

/**
 * Starts the command in its own process group. Ending the group ends all its processes: npm does not forward every
 * signal to them.
 */
function start([file, ...args], cwd) {
  console.log(`$ ${[file, ...args].join(' ')}`);
  return spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
}

async function waitUntil(child, isSo) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${child.spawnargs.join(' ')} serves nothing.`);
    await sleep(PAUSE_MS);
  }
}

async function answers(url, content) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    return answer.ok && content.test(await answer.text());
  } catch {
    return false;
  }
}

async function end(child) {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await exit;
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
