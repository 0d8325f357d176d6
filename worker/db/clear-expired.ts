import { sql } from 'drizzle-orm';
import { IDEMPOTENCY_KEY_LIFETIME_HOURS } from '#contract/limits.ts';
import type { Db } from './client.ts';

const ROWS_PER_SWEEP = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A code expires in ten minutes; that it did can be said for a day. */
const RESET_CODE_KEPT_MS = DAY_MS;
/** What the queue has not taken in a day is old news. */
const WHATSAPP_MESSAGE_WAITS_MS = DAY_MS;
/** Meta may report on a message for a week. */
const WHATSAPP_RECORD_KEPT_MS = 8 * DAY_MS;

/** Deletes, a bounded number at a time, what nobody can ask for any more. */
export async function clearExpired(db: Db, now: number): Promise<void> {
  const oldestKey = now - IDEMPOTENCY_KEY_LIFETIME_HOURS * 60 * 60 * 1000;
  const oldestRecord = now - WHATSAPP_RECORD_KEPT_MS;
  await db.batch([
    db.run(sql`
      delete from rate_counters where rowid in (
        select rowid from rate_counters where window_ends_at <= ${now} limit ${ROWS_PER_SWEEP})`),
    db.run(sql`
      delete from idempotency_keys where rowid in (
        select rowid from idempotency_keys where created_at < ${oldestKey} limit ${ROWS_PER_SWEEP})`),
    db.run(sql`
      delete from reset_codes where rowid in (
        select rowid from reset_codes where issued_at < ${now - RESET_CODE_KEPT_MS} and close_sockets_below is null
          and coalesce(next_issued_at, 0) < ${now - RESET_CODE_KEPT_MS}
        limit ${ROWS_PER_SWEEP})`),
    db.run(sql`delete from whatsapp_outbox where created_at < ${now - WHATSAPP_MESSAGE_WAITS_MS}`),
    db.run(sql`
      delete from whatsapp_messages where rowid in (
        select rowid from whatsapp_messages where created_at < ${oldestRecord} limit ${ROWS_PER_SWEEP})`),
    db.run(sql`
      delete from whatsapp_deliveries where rowid in (
        select rowid from whatsapp_deliveries where reported_at < ${oldestRecord} limit ${ROWS_PER_SWEEP})`),
    db.run(sql`
      delete from whatsapp_dead_letters where rowid in (
        select rowid from whatsapp_dead_letters where recorded_at < ${oldestRecord} limit ${ROWS_PER_SWEEP})`),
  ]);
}
