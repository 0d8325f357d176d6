import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** The process and all that descend from it, whatever groups they have made for themselves. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // `pid (name) state parent …`, and the name may hold anything.
      const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1];
      parents.set(Number(entry), Number(parent));
    } catch {
      // It ended while we looked.
    }
  }
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

/** Ends the process with all that descend from it, without warning. */
export async function endFamily(child: ChildProcess): Promise<void> {
  // Without a process of its own there is nothing to end, and 0 would stand for the ancestor of all.
  if (child.pid === undefined) return;
  const hasEnded = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  for (const pid of familyOf(child.pid)) end(pid);
  await hasEnded;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** A tick of the processor's time, as Linux counts it. */
const TICK_MS = 10;

/** The processor's time that workerd has used, of all its processes that descend from this one. */
export function workerdProcessorMs(pid: number): number {
  const times = familyOf(pid).map((member) => {
    // `pid (name) state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime …`
    const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${member}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return name === 'workerd' ? (Number(fields[11]) + Number(fields[12])) * TICK_MS : 0;
  });
  return times.reduce((sum, time) => sum + time, 0);
}

/** What workerd holds in memory, of all its processes that descend from this one. */
export function workerdBytes(pid: number): number {
  const sizes = familyOf(pid).map((member) => {
    const status = readFileSync(`/proc/${member}/status`, 'utf8');
    return /^Name:\s+workerd$/m.test(status) ? Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024 : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
