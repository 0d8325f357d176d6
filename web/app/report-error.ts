import type { ClientError } from '#contract/admin.ts';
import { CLIENT_ERROR_FRAME } from '#contract/kinds.ts';
import { CLIENT_ERROR_FRAMES_MAX } from '#contract/limits.ts';

// This file imports no module of the folder `web`. The bundler would move such a module to a shared chunk and list this
// chunk in the main script. Every page loads the main script, so the script has to stay small.
const ADDRESS = '/api/client-errors';
/** Only one visit in this many reports errors. An error that affects many users is still reported. */
const SAMPLED_ONE_IN = 4;
/** The most errors that one visit reports. A repeated error counts once. */
const TOLD_MAX = 3;

const isSampled = Math.random() * SAMPLED_ONE_IN < 1;
const told = new Set<string>();

/** Reports an uncaught error with its position in the code, but no screen content. Ignores its own failures. */
export function reportError(event: Event): void {
  const report = describeError('reason' in event ? event.reason : (event as ErrorEvent).error);
  if (!report || !isSampled) return;
  const body = JSON.stringify(report);
  if (told.has(body) || told.size >= TOLD_MAX) return;
  told.add(body);
  const headers = { 'Content-Type': 'application/json' };
  fetch(ADDRESS, { method: 'POST', headers, body, keepalive: true }).catch(() => {});
}

/** Returns null for errors outside our code, such as a browser extension's, and for errors without a stack. */
export function describeError(error: unknown): ClientError | null {
  if (!(error instanceof Error) || !/^[A-Za-z]{1,40}$/.test(error.name)) return null;
  const lines = (error.stack ?? '').split('\n');
  const frames = lines.flatMap((line) => CLIENT_ERROR_FRAME.exec(line)?.[0] ?? []).slice(0, CLIENT_ERROR_FRAMES_MAX);
  return frames.length === 0 ? null : { name: error.name, frames };
}
