import { logUnexpected } from './answer-error.ts';
import type { AppContext } from './app-env.ts';

/** Goes on with what nobody waits for. The answer has gone out by then, so what fails there can only be logged. */
export function continueAfterAnswer(c: AppContext, work: Promise<void>): void {
  c.executionCtx.waitUntil(work.catch((error: unknown) => logUnexpected(error, c)));
}
