import { type SQL, sql } from 'drizzle-orm';
import type { ClaimState } from '#contract/claims.ts';

// SQL conditions on claims that several features share.

const OPEN_STATES = ['waiting', 'asked', 'accepted', 'declining', 'declining_asked'] as const satisfies ClaimState[];
const OPEN = sql.raw(OPEN_STATES.map((state) => `'${state}'`).join(', '));

/**
 * Condition on a row of claims: the claim is open. A declined claim stays open until the decline can no longer be
 * undone. The claim then counts as ended even before the scheduled sweep records the end.
 */
export function isOpenClaim(claim: 'k' | 'claims', now: number): SQL {
  const column = (name: string) => sql.raw(`${claim}.${name}`);
  return sql`(${column('state')} in (${OPEN}) and coalesce(${column('decline_due_at')}, ${now + 1}) > ${now})`;
}

/** Condition: there is an open claim on the post. @param postId a value or a column. */
export function hasOpenClaim(postId: SQL, now: number): SQL {
  return sql`exists (select 1 from claims k where k.post_id = ${postId} and ${isOpenClaim('k', now)})`;
}

/** Condition: the finder has accepted the person's claim. */
export function hasAcceptedClaim(postId: SQL, userId: SQL): SQL {
  return sql`exists (
    select 1 from claims k where k.post_id = ${postId} and k.claimant_id = ${userId} and k.state = 'accepted')`;
}

/** Condition: the thing was handed over to a claimant. */
export function isHandedOver(postId: SQL): SQL {
  return sql`exists (select 1 from claims k where k.post_id = ${postId} and k.state = 'handed_over')`;
}

/**
 * Condition on a claim `k`: its decline can no longer be undone, even if the scheduled sweep has not recorded it yet.
 */
export function isDue(now: number): SQL {
  return sql`k.decline_due_at <= ${now}`;
}
