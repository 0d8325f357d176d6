const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** A call was lost on its way, or its answer was: another one may well arrive. */
const LOST =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue|Can't read from request stream because client disconnected/;
/** More is asked than can be answered: another call would only add to that. */
const BUSY =
  /(D1 DB|Durable Object) is overloaded|storage operation exceeded timeout|exceeded its (memory|CPU time) limit/;

/** Whether the platform, and nothing of ours, is why a call failed. */
export function isUnavailable(error: unknown): boolean {
  return says(LOST, error) || says(BUSY, error);
}

/** Calls again, as the platform advises, what was lost: a few times, after random pauses that grow. */
export async function callAgain<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES_MAX || !says(LOST, error)) throw error;
      const longest = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
    }
  }
}

/** Drizzle and D1 each put an error of their own around what the platform says. */
function says(what: RegExp, error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (what.test(cause.message)) return true;
  }
  return false;
}
