import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { claimSteps, claims } from '#worker/db/schema.ts';
import { isOpenClaim } from '#worker/posts/index.ts';

/** Statements: delete claims that were settled long ago, with their messages. Open ones stay. */
export function clearExpired(db: Db, now: number) {
  const before = now - KEPT_MS.claim;
  return [
    deleteSome(
      db,
      claims,
      sql`created_at < ${before} and finder_updated_at < ${before} and claimant_updated_at < ${before}
        and not ${isOpenClaim('claims', now)}`,
    ),
    // Steps are never older than their claim, so they are deleted after it.
    deleteSome(
      db,
      claimSteps,
      sql`coalesce(finder_at, claimant_at) < ${before} and not exists (
        select 1 from claims k where k.id = claim_steps.claim_id)`,
    ),
  ];
}
