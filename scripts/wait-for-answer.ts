import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;
const PATIENCE_MS = 5_000;

/** Resolves once the address answers anything at all; a refused or stuck connection is tried again. */
export async function waitForAnswer(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
      await answer.arrayBuffer();
      return;
    } catch {
      await sleep(PAUSE_MS);
    }
  }
}
