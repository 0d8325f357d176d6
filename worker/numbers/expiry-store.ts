import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { numberCodes, numberProofs, whatsappIncoming } from '#worker/db/schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Both expire within minutes; for a day we can still answer that they have. */
const KEPT_MS = DAY_MS;
/** Meta redelivers a message for up to a week. */
const INCOMING_KEPT_MS = 8 * DAY_MS;

/** Statements: delete old codes, proofs and incoming messages. */
export function clearExpired(db: Db, now: number) {
  return [
    deleteSome(db, numberCodes, sql`issued_at < ${now - KEPT_MS}`),
    deleteSome(db, numberProofs, sql`created_at < ${now - KEPT_MS}`),
    deleteSome(db, whatsappIncoming, sql`received_at < ${now - INCOMING_KEPT_MS}`),
  ];
}
