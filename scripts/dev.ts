import { once } from 'node:events';
import { join } from 'node:path';
import { PROJECT_ROOT } from './command/project-root.ts';
import { runScript, UserError } from './command/user-error.ts';
import { DEMO_USERS, type DemoUser } from './database/demo-data.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { prepareStateFolder } from './database/state-folder.ts';
import { assertPortFree, waitForAnswer } from './dev/address.ts';
import { type DevArguments, parseDevArguments } from './dev/arguments.ts';
import { ensureDevVars } from './dev/ensure-dev-vars.ts';
import { runCrons } from './dev/run-crons.ts';
import { stopSignal } from './dev/stop-signal.ts';
import { watchWeb } from './dev/watch-web.ts';
import { startWorker, stopWorker } from './dev/worker-process.ts';

/** An address and not a name, so that the port that was checked is the port that is taken. */
const HOST = '127.0.0.1';

await runScript(async () => {
  const started = performance.now();
  const stopping = stopSignal();
  const options = parseDevArguments(process.argv.slice(2));
  await assertPortFree(HOST, options.port);
  prepareStateFolder(options.stateFolder);
  ensureDevVars(PROJECT_ROOT);
  const webFolder = join(options.stateFolder, 'web');
  const [hasDemo] = await Promise.all([prepareDatabase(options.stateFolder, options), watchWeb(webFolder)]);
  if (stopping.aborted) process.exit(0);
  await serve(options, webFolder, stopping, () => announce(options.port, hasDemo, performance.now() - started));
});

/** Runs the Worker until it ends or a signal comes, and leaves no process behind either way. */
async function serve(options: DevArguments, webFolder: string, stopping: AbortSignal, onReady: () => void) {
  const worker = startWorker({ ...options, host: HOST, webFolder });
  // A death without a goodbye, such as an exception of this script, must not leave wrangler behind.
  process.once('exit', () => void stopWorker(worker));
  const ended = new AbortController();
  const exit = once(worker, 'exit', { signal: stopping }).catch(() => null);
  void exit.then(() => ended.abort());
  const origin = `http://${HOST}:${options.port}`;
  // The feed and not the page: it answers once the Worker and its database do.
  await waitForAnswer(`${origin}/api/posts?limit=1`, ended.signal);
  if (!ended.signal.aborted) {
    onReady();
    void runCrons(origin, ended.signal);
  }
  await exit;
  await stopWorker(worker);
  if (!stopping.aborted) throw new UserError(`The Worker ended by itself (${worker.exitCode ?? worker.signalCode}).`);
  process.exit(0);
}

function announce(port: number, hasDemo: boolean, tookMs: number): void {
  const users: DemoUser[] = Object.values(DEMO_USERS);
  const signIns = users.map(
    ({ email, password, isPlatformAdmin }) =>
      `  ${email.padEnd(20)} ${password}${isPlatformAdmin ? '   (platform admin)' : ''}`,
  );
  console.log(
    [
      '',
      `Patikana is at http://localhost:${port} (ready in ${(tookMs / 1000).toFixed(1)} s, Ctrl-C ends it)`,
      ...(hasDemo ? ['Demo sign-ins:', ...signIns] : []),
      '',
    ].join('\n'),
  );
}
