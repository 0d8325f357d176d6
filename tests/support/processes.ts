import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the process and all its descendants, whatever process groups they have created. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The file contains `pid (name) state parent …`. The name may contain any character.
      const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1];
      parents.set(Number(entry), Number(parent));
    } catch {
      // The process ended meanwhile.
    }
  }
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

/** Kills the process and all its descendants. */
export async function endFamily(child: ChildProcess): Promise<void> {
  // A process that failed to start has no id. The id 0 would mean all processes of the machine.
  if (child.pid === undefined) return;
  const hasEnded = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  for (const pid of familyOf(child.pid)) end(pid);
  await hasEnded;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

/** A tick of Linux's processor time. */
const TICK_MS = 10;

/** Returns the processor time of the process and its descendants. Counts only workerd processes. */
export function workerdProcessorMs(pid: number): number {
  const times = familyOf(pid).map((member) => {
    // The file contains:
    // `pid (name) state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime …`
    const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${member}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return name === 'workerd' ? (Number(fields[11]) + Number(fields[12])) * TICK_MS : 0;
  });
  return times.reduce((sum, time) => sum + time, 0);
}

/** Returns the memory, in bytes, of all workerd processes among the process `pid` and its descendants. */
export function workerdBytes(pid: number): number {
  const sizes = familyOf(pid).map((member) => {
    const status = readFileSync(`/proc/${member}/status`, 'utf8');
    return /^Name:\s+workerd$/m.test(status) ? Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024 : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** With these flags Chromium needs no display, may run as root in a container, and sends requests to the app only. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The features that Playwright 1.65 disables (`disabledFeatures` in playwright-core). */
const PLAYWRIGHT_DISABLES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];
/**
 * The popups of the address bar, which nobody sees in a test. For each new window Chromium 156 starts a renderer for
 * the popups, which takes as much processor time as the app's page.
 */
const POPUPS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Chromium reads only the last `--disable-features`, so this flag repeats Playwright's features. */
const DISABLED_FEATURES_FLAG = `--disable-features=${[...PLAYWRIGHT_DISABLES, ...POPUPS].join(',')}`;

/** The flags of the browser tests. */
export const TEST_FLAGS = [...CHROMIUM_FLAGS, DISABLED_FEATURES_FLAG];

/** @returns the browser at CHROMIUM_PATH if set, else the machine's own; null if there is none. */
export function findChromium(): string | null {
  const chosen = process.env.CHROMIUM_PATH;
  return (chosen ? [chosen] : USUAL_PLACES).find((place) => existsSync(place)) ?? null;
}

/**
 * Finds Chromium's headless shell. The shell takes less processor time than the whole browser, because it draws no
 * windows, popups or address bar. The shell has no notifications and no PDF viewer.
 * @returns the browser at CHROMIUM_PATH if set, else the headless shell, else the whole browser; null if there is none.
 */
export function findHeadlessShell(): string | null {
  return !process.env.CHROMIUM_PATH && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findChromium();
}
