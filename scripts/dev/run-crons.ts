import { setTimeout as sleep } from 'node:timers/promises';

/** Far more often than deployed, so that nobody at a desk waits a minute for what the sweep does. */
const INTERVAL_MS = 3_000;

/** wrangler dev runs no crons: this calls the Worker's scheduled handler until the signal aborts. */
export async function runCrons(origin: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${origin}/cdn-cgi/local/scheduled`, { signal });
      await answer.arrayBuffer();
      await sleep(INTERVAL_MS, undefined, { signal });
    } catch {
      // Between two versions of a changed Worker nobody answers.
      if (!signal.aborted) await sleep(INTERVAL_MS);
    }
  }
}
