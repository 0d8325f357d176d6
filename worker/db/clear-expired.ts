import { sql } from 'drizzle-orm';
import { IDEMPOTENCY_KEY_LIFETIME_HOURS } from '#worker/contract/limits.ts';
import type { Db } from './client.ts';

const ROWS_PER_SWEEP = 1_000;

/** Deletes, a bounded number at a time, what nobody can ask for any more. */
export async function clearExpired(db: Db, now: number): Promise<void> {
  const oldestKey = now - IDEMPOTENCY_KEY_LIFETIME_HOURS * 60 * 60 * 1000;
  await db.batch([
    db.run(sql`
      delete from rate_counters where rowid in (
        select rowid from rate_counters where window_ends_at <= ${now} limit ${ROWS_PER_SWEEP})`),
    db.run(sql`
      delete from idempotency_keys where rowid in (
        select rowid from idempotency_keys where created_at < ${oldestKey} limit ${ROWS_PER_SWEEP})`),
  ]);
}
