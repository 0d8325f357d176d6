import type { ChildProcess } from 'node:child_process';

const GRACE_MS = 3_000;

/** Ends a detached child with everything it started: politely first, and what is left after a while by force. */
export async function stopProcessGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const hasExited = child.exitCode !== null || child.signalCode !== null;
  const exit = hasExited ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve));
  signalGroup(pid, 'SIGTERM');
  await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())]);
  signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}
