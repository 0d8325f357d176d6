import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { noticeDays } from '#worker/db/schema.ts';
import { dayOf } from '#worker/limits/day.ts';

/** Statements: drops what was counted of days that nobody compares any more. */
export function clearExpired(db: Db, now: number) {
  return [deleteSome(db, noticeDays, sql`day < ${dayOf(now - KEPT_MS.noticeDays)}`)];
}
