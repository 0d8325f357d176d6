import { logUnexpected } from './answer-error.ts';
import type { AppContext } from './app-env.ts';

/** Runs work after the response has been sent. A failure can then only be logged. */
export function continueAfterAnswer(c: AppContext, work: Promise<void>): void {
  c.executionCtx.waitUntil(work.catch((error: unknown) => logUnexpected(error, c)));
}
