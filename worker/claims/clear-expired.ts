import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { isOpenClaim } from '#worker/posts/index.ts';

/** Fewer than for other tables, as each claim has steps. */
const CLAIMS_AT_ONCE = 100;

/** Statements, in this order: delete claims that were settled long ago, with their messages. Open ones stay. */
export function clearExpired(db: Db, now: number) {
  const before = now - KEPT_MS.claim;
  const settled = sql`
    select id from claims
    where created_at < ${before} and finder_updated_at < ${before} and claimant_updated_at < ${before}
      and not ${isOpenClaim('claims', now)}
    order by created_at limit ${CLAIMS_AT_ONCE}`;
  return [
    db.run(sql`delete from claim_steps where claim_id in (${settled})`),
    db.run(sql`delete from claims where id in (${settled})`),
  ] as const;
}
