import { CLIENT_ERROR_FRAME } from '#contract/client-error-frame.ts';
import type { ClientError } from '#contract/client-errors.ts';
import { CLIENT_ERROR_FRAMES_MAX } from '#contract/limits.ts';

// Imports nothing of the app's: every page would have to carry the list of what is loaded with it.
const ADDRESS = '/api/client-errors';
/** One visit in so many tells of its errors: what happens to many is told often enough. */
const SAMPLED_ONE_IN = 4;
/** What fails in a circle is told of once, and three different errors are enough of a visit. */
const TOLD_MAX = 3;

const isSampled = Math.random() * SAMPLED_ONE_IN < 1;
const told = new Set<string>();

/** Tells the server what nobody caught, and where: nothing of what was on the screen. Whatever fails here is let go. */
export function reportError(event: Event): void {
  const report = describeError('reason' in event ? event.reason : (event as ErrorEvent).error);
  if (!report || !isSampled) return;
  const body = JSON.stringify(report);
  if (told.has(body) || told.size >= TOLD_MAX) return;
  told.add(body);
  const headers = { 'Content-Type': 'application/json' };
  fetch(ADDRESS, { method: 'POST', headers, body, keepalive: true }).catch(() => {});
}

/** Null for what is not of our code, such as a browser's extension, or says nothing of where it is from. */
export function describeError(error: unknown): ClientError | null {
  if (!(error instanceof Error) || !/^[A-Za-z]{1,40}$/.test(error.name)) return null;
  const lines = (error.stack ?? '').split('\n');
  const frames = lines.flatMap((line) => CLIENT_ERROR_FRAME.exec(line)?.[0] ?? []).slice(0, CLIENT_ERROR_FRAMES_MAX);
  return frames.length === 0 ? null : { name: error.name, frames };
}
