import { spawn } from 'node:child_process';
import { join } from 'node:path';

const running = new Set<number>();
// Whoever ends this ends what it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const pid of running) endGroup(pid);
    process.exit(1);
  });
}

/** Runs a tool of node_modules in the folder, in silence. @returns whether it passed, which takes no longer than the limit. */
export function runTool(root: string, [tool, ...args]: [string, ...string[]], limitMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
  });
  const { pid = 0 } = child;
  running.add(pid);
  const limit = setTimeout(() => endGroup(pid), limitMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(limit);
      running.delete(pid);
      endGroup(pid);
      resolve(code === 0);
    });
  });
}

function endGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
