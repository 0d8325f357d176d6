import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { notices } from '#worker/db/schema.ts';

/** Statements: delete old notices. A pair keeps its notice's id, so that nobody is notified of it again. */
export function clearExpired(db: Db, now: number) {
  return [deleteSome(db, notices, sql`created_at < ${now - KEPT_MS.notice} and delivered_at is not null`)];
}
