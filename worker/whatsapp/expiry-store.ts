import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { whatsappDeadLetters, whatsappDeliveries, whatsappMessages, whatsappOutbox } from '#worker/db/schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What the queue has not taken in a day is old news. */
const OUTBOX_KEPT_MS = DAY_MS;
/** Meta may report on a message for a week. */
const RECORD_KEPT_MS = 8 * DAY_MS;

/** Statements: drops what will not be sent any more, and the records of what Meta will not report on any more. */
export function clearExpired(db: Db, now: number) {
  const oldest = now - RECORD_KEPT_MS;
  return [
    deleteSome(db, whatsappOutbox, sql`created_at < ${now - OUTBOX_KEPT_MS}`),
    deleteSome(db, whatsappMessages, sql`created_at < ${oldest}`),
    deleteSome(db, whatsappDeliveries, sql`reported_at < ${oldest}`),
    deleteSome(db, whatsappDeadLetters, sql`recorded_at < ${oldest}`),
  ];
}
