import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { noticeDays, notices } from '#worker/db/schema.ts';
import { dayOf } from '#worker/limits/day.ts';

/**
 * Statements: delete old notices and old statistics. A pair keeps its notice's id, so that nobody is notified of it again.
 */
export function clearExpired(db: Db, now: number) {
  return [
    deleteSome(db, notices, sql`created_at < ${now - KEPT_MS.notice} and delivered_at is not null`),
    deleteSome(db, noticeDays, sql`day < ${dayOf(now - KEPT_MS.noticeDays)}`),
  ];
}
