import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/durations.ts';
import {
  DECISION_LIFETIME_DAYS,
  JOIN_REQUEST_AGAIN_DAYS,
  JOIN_REQUEST_LIFETIME_DAYS,
  REMOVAL_DAYS,
} from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { communityRejections, communityRemovals, joinRequests } from '#worker/db/schema.ts';

/** Statements: delete expired removals, rejections, and join requests that were declined or never answered. */
export function clearExpired(db: Db, now: number) {
  const before = (days: number) => now - days * DAY_MS;
  return [
    deleteSome(db, communityRemovals, sql`removed_at < ${before(REMOVAL_DAYS)}`),
    deleteSome(db, joinRequests, sql`declined_at is not null and declined_at < ${before(JOIN_REQUEST_AGAIN_DAYS)}`),
    deleteSome(db, joinRequests, sql`created_at < ${before(JOIN_REQUEST_LIFETIME_DAYS)}`),
    deleteSome(db, communityRejections, sql`rejected_at < ${before(DECISION_LIFETIME_DAYS)}`),
  ];
}
