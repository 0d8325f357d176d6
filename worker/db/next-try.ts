import { type SQL, sql } from 'drizzle-orm';

const FIRST_DELAY_MS = 60_000;
const DOUBLINGS_MAX = 10;

/**
 * When the sweep takes up again what it takes up now: after a minute, each time after twice as long, at most about 17 hours.
 * @param failures the column that counts how often it was taken up.
 */
export function nextTry(now: number, failures: string): SQL {
  return sql`${now} + (${FIRST_DELAY_MS} << min(${sql.raw(failures)}, ${DOUBLINGS_MAX}))`;
}
