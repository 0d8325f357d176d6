const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 100;

/** The call or its answer was lost on the way: a retry may succeed. */
const LOST =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue|Can't read from request stream because client disconnected/;
/** Overload: a retry would only add to it. */
const BUSY =
  /(D1 DB|Durable Object) is overloaded|storage operation exceeded timeout|exceeded its (memory|CPU time) limit/;

/** Whether a call failed because of the platform and not because of our code. */
export function isUnavailable(error: unknown): boolean {
  return says(LOST, error) || says(BUSY, error);
}

/** Retries lost calls a few times, with growing, jittered pauses, as the platform advises. */
export async function callAgain<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES_MAX || !says(LOST, error)) throw error;
      const longest = FIRST_PAUSE_MS * 2 ** (tries - 1);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
    }
  }
}

/** Drizzle and D1 each wrap the platform's error in one of their own. */
function says(what: RegExp, error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (what.test(cause.message)) return true;
  }
  return false;
}
