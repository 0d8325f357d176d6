import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { numberCodes, numberProofs, whatsappIncoming } from '#worker/db/schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Both expire within minutes; that they did can be said for a day. */
const KEPT_MS = DAY_MS;
/** Meta brings a message again for a week. */
const INCOMING_KEPT_MS = 8 * DAY_MS;

/** Statements: drops the codes and proofs of which nothing can be said any more. */
export function clearExpired(db: Db, now: number) {
  return [
    deleteSome(db, numberCodes, sql`issued_at < ${now - KEPT_MS}`),
    deleteSome(db, numberProofs, sql`created_at < ${now - KEPT_MS}`),
    deleteSome(db, whatsappIncoming, sql`received_at < ${now - INCOMING_KEPT_MS}`),
  ];
}
