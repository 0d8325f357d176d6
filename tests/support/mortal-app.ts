import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { findFreePort } from '#scripts/dev/address.ts';
import { familyOf } from './processes.ts';

const READY = /^Patikana is at (\S+)/m;
const PATIENCE_MS = 180_000;

export type MortalApp = {
  origin: string;
  /** Ends every process of the app at once and without warning, as a power cut does. */
  kill(): Promise<void>;
};

/** Starts the whole app on a state folder that outlives it. */
export async function startMortalApp(stateFolder: string): Promise<MortalApp> {
  const port = await findFreePort('127.0.0.1');
  const child = spawn(
    process.execPath,
    ['scripts/dev.ts', '--port', `${port}`, '--persist-to', stateFolder, '--empty', '--var', 'RATE_LIMITS:off'],
    { cwd: PROJECT_ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const kill = () => endFamily(child);
  try {
    return { origin: await readOrigin(child), kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Ends the process with all that descend from it, without warning. */
export async function endFamily(child: ChildProcess): Promise<void> {
  // Without a process of its own there is nothing to end, and 0 would stand for the ancestor of all.
  if (child.pid === undefined) return;
  const hasEnded = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  for (const pid of familyOf(child.pid)) end(pid);
  await hasEnded;
}

async function readOrigin(child: ChildProcess): Promise<string> {
  let printed = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (reason: string) => reject(new Error(`The app ${reason}. It printed:\n${printed}`));
  const timer = setTimeout(() => fail('was not ready in time'), PATIENCE_MS);
  child.once('exit', () => fail('ended'));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed = `${printed}${chunk}`.slice(-50_000);
      const origin = READY.exec(printed)?.[1];
      if (origin) resolve(origin);
    });
  }
  return promise.finally(() => clearTimeout(timer));
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
