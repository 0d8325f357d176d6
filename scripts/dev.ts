import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT, runScript, UserError } from '#scripts/command/command.ts';
import { uploadDemoPhotos } from '#scripts/database/demo-photos.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import {
  assertPortFree,
  type DevArguments,
  ensureDevVars,
  findFreePort,
  parseDevArguments,
  prepareStateFolder,
  waitForAnswer,
} from '#scripts/dev/options.ts';
import { runCrons, startWorker, stopSignal, stopWorker } from '#scripts/dev/serve-worker.ts';
import { serveWebHot } from '#scripts/dev/web.ts';
import { DEMO_USERS, type DemoUser } from './database/demo-people.ts';
import { deleteState } from './database/local-database.ts';

/**
 * The address of the app. `localhost` could be an IPv4 or an IPv6 address: the port check could test one address while
 * the app uses the other address.
 */
const HOST = '127.0.0.1';

await runScript(async () => {
  const started = performance.now();
  const stopping = stopSignal();
  const options = parseDevArguments(process.argv.slice(2));
  await assertPortFree(HOST, options.port);
  prepareStateFolder(options.stateFolder);
  if (options.isReset) deleteState(options.stateFolder);
  ensureDevVars(PROJECT_ROOT);
  const { hasDemo, isNew } = await prepareDatabase(options.stateFolder, options);
  // Wrangler requires the folder `dist`, even if Vite serves the web app.
  if (options.isHot) mkdirSync(join(PROJECT_ROOT, 'dist'), { recursive: true });
  if (stopping.aborted) process.exit(0);
  const port = options.isHot ? await findFreePort(HOST) : options.port;
  const worker = startWorker({ ...options, host: HOST, port });
  await runUntilEnd(worker, stopping, `http://${HOST}:${port}`, async (origin) => {
    if (options.isHot) await serveWebHot({ ...options, host: HOST, worker: origin });
    // The demo also works without photos, so a failed upload is only a warning.
    if (isNew) await uploadDemoPhotos(origin).catch((error: unknown) => console.warn('No demo photos:', error));
    announce(options, hasDemo, performance.now() - started);
  });
});

/** Waits until the Worker exits or a signal arrives, then stops the Worker and all its child processes. */
async function runUntilEnd(
  worker: ChildProcess,
  stopping: AbortSignal,
  origin: string,
  onReady: (origin: string) => Promise<void>,
) {
  // Stops wrangler even if this script dies from an exception.
  process.once('exit', () => void stopWorker(worker));
  const ended = new AbortController();
  const exit = once(worker, 'exit', { signal: stopping }).catch(() => null);
  void exit.then(() => ended.abort());
  // Requests the list of posts, because its response shows that both the Worker and the database work.
  await waitForAnswer(`${origin}/api/posts?limit=1`, ended.signal);
  if (!ended.signal.aborted) {
    await onReady(origin);
    void runCrons(origin, ended.signal);
  }
  await exit;
  await stopWorker(worker);
  if (!stopping.aborted)
    throw new UserError(`The Worker stopped unexpectedly (${worker.exitCode ?? worker.signalCode}).`);
  process.exit(0);
}

function announce({ port, isHot }: DevArguments, hasDemo: boolean, tookMs: number): void {
  const users: DemoUser[] = Object.values(DEMO_USERS);
  const signIns = users.map(
    ({ email, password, isPlatformAdmin }) =>
      `  ${email.padEnd(20)} ${password}${isPlatformAdmin ? '   (platform admin)' : ''}`,
  );
  console.log(
    [
      '',
      `Patikana is at http://localhost:${port} (ready in ${(tookMs / 1000).toFixed(1)} s, Ctrl-C ends it)`,
      ...(isHot ? ['Hot: what changes in web/ shows at once; nothing is prerendered or kept for later.'] : []),
      ...(hasDemo ? ['Demo sign-ins:', ...signIns] : []),
      '',
    ].join('\n'),
  );
}
