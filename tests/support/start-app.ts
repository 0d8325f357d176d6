import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { findFreePort } from '#scripts/dev/options.ts';

/** The folder in which the output of each started app is logged, for the analysis of failures. */
const LOG_FOLDER = join(PROJECT_ROOT, 'test-results');
const PATIENCE_MS = 120_000;
const OUTPUT_MAX_CHARS = 200_000;
const READY = /^Patikana is at (\S+)/m;

export type RunningApp = {
  origin: string;
  /** The value of `--persist-to` for commands on this app's data. */
  stateFolder: string;
  /** The last part of the app's output. */
  output(): string;
  stop(): Promise<void>;
};

/**
 * Starts the whole app like `npm run dev`, on a free port and with its own state folder, by default without demo data.
 */
export async function startApp(
  extraArguments: string[] = [],
  { hasDemo = false }: { hasDemo?: boolean } = {},
): Promise<RunningApp> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'patikana-'));
  const port = await findFreePort('127.0.0.1');
  const child = spawn(
    process.execPath,
    [
      'scripts/dev.ts',
      ...['--port', String(port), '--persist-to', stateFolder],
      ...(hasDemo ? [] : ['--empty']),
      ...extraArguments,
    ],
    { cwd: PROJECT_ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(stateFolder, { recursive: true, force: true });
  };
  try {
    const output = collectOutput(child);
    return { origin: await waitUntilReady(child, output), stateFolder, output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Collects the app's output, and copies it into a log file. Unread output would fill the pipe and block the app. */
function collectOutput(child: ChildProcess): () => string {
  let printed = '';
  mkdirSync(LOG_FOLDER, { recursive: true });
  const log = createWriteStream(join(LOG_FOLDER, `app-${child.pid}.log`));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      printed = `${printed}${chunk}`.slice(-OUTPUT_MAX_CHARS);
    });
  }
  return () => printed;
}

/** @returns the app's origin, which the app prints once it is ready. */
function waitUntilReady(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`The app ${reason}. It printed:\n${output()}`));
    const timer = setTimeout(() => fail(`was not ready after ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', () => {
        const origin = READY.exec(output())?.[1];
        if (!origin) return;
        clearTimeout(timer);
        resolve(origin);
      });
    }
  });
}
