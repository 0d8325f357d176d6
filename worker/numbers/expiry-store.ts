import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { numberCodes, numberProofs, whatsappIncoming } from '#worker/db/schema.ts';

/** Statements: delete old codes and proofs, and incoming messages that Meta will not redeliver any more. */
export function clearExpired(db: Db, now: number) {
  return [
    deleteSome(db, numberCodes, sql`issued_at < ${now - KEPT_MS.code}`),
    deleteSome(db, numberProofs, sql`created_at < ${now - KEPT_MS.code}`),
    deleteSome(db, whatsappIncoming, sql`received_at < ${now - KEPT_MS.delivery}`),
  ];
}
