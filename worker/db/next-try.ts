import { type SQL, sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/durations.ts';

const FIRST_DELAY_MS = MINUTE_MS;
const DOUBLINGS_MAX = 10;

/**
 * When the sweep retries a row: after a minute, then after twice as long each time, up to about 17 hours.
 * @param failures the column that counts the tries.
 */
export function nextTry(now: number, failures: string): SQL {
  return sql`${now} + (${FIRST_DELAY_MS} << min(${sql.raw(failures)}, ${DOUBLINGS_MAX}))`;
}
