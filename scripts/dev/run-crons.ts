import { setTimeout as sleep } from 'node:timers/promises';

/** Far more often than when deployed, so that developers do not wait a minute for the sweep. */
const INTERVAL_MS = 3_000;

/** Calls the Worker's scheduled handler until the signal aborts, as wrangler dev runs no crons. */
export async function runCrons(origin: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${origin}/cdn-cgi/local/scheduled`, { signal });
      await answer.arrayBuffer();
      await sleep(INTERVAL_MS, undefined, { signal });
    } catch {
      // The Worker is being reloaded.
      if (!signal.aborted) await sleep(INTERVAL_MS);
    }
  }
}
