import { type SQL, sql } from 'drizzle-orm';
import type { Handle } from '#worker/db/client.ts';

/**
 * Statement: activates the code of a queued request in place of the number's previous one. Both the request and the
 * consumer run it, in case the request dies before it can.
 */
export function startCode(db: Handle, requestId: string) {
  return db.run(sql`
    update reset_codes set request_id = next_request_id, code_digest = next_code_digest, issued_at = next_issued_at,
      wrong_tries = 0, verified_at = null, used_at = null,
      next_request_id = null, next_code_digest = null, next_issued_at = null
    where next_request_id = ${requestId}`);
}

/** Statement: invalidates the codes of these accounts, which were sent to numbers that now belong to somebody else. */
export function endResetCodes(db: Handle, accounts: SQL, now: number) {
  return db.run(sql`
    update reset_codes set used_at = coalesce(used_at, ${now}),
      next_request_id = null, next_code_digest = null, next_issued_at = null
    where user_id in (${accounts})`);
}
