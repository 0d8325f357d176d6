import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { pushDeadLetters } from '#worker/db/schema.ts';

/** Statements: delete old dead letters. */
export function clearExpired(db: Db, now: number) {
  return [deleteSome(db, pushDeadLetters, sql`recorded_at < ${now - KEPT_MS.delivery}`)];
}
