import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { whatsappDeadLetters, whatsappDeliveries, whatsappMessages, whatsappOutbox } from '#worker/db/schema.ts';
import { clearRecipients } from './recipients.ts';

/** Statements: delete messages that are too old to be sent, and records that Meta will not report on any more. */
export function clearExpired(db: Db, now: number) {
  const oldest = now - KEPT_MS.delivery;
  return [
    clearRecipients(db, now),
    deleteSome(db, whatsappOutbox, sql`created_at < ${now - KEPT_MS.outbox}`),
    deleteSome(db, whatsappMessages, sql`created_at < ${oldest}`),
    deleteSome(db, whatsappDeliveries, sql`reported_at < ${oldest}`),
    deleteSome(db, whatsappDeadLetters, sql`recorded_at < ${oldest}`),
  ];
}
