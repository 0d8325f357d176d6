// node try-front-door.mjs: starts the app with each of the README's commands, `npx wrangler dev` and `npm run dev`, and
// waits until the page and the API answer. Fails at the first command that fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 300_000;
const PAUSE_MS = 500;
const env = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' };

await serve(['npx', '--no', 'wrangler', 'dev']);
await serve(['npm', 'run', 'dev', '--']);

/** Waits until the page and the API answer, then ends the command and all processes that it started. */
async function serve(command) {
  const port = await findFreePort();
  const child = start([...command, '--port', `${port}`]);
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
function start([file, ...args]) {
  console.log(`$ ${[file, ...args].join(' ')}`);
  return spawn(file, args, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
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
