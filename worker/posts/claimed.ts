import { type SQL, sql } from 'drizzle-orm';
import type { ClaimState } from '#contract/claims.ts';

// What a post must know of who claims it: claims stand above posts.

const OPEN_STATES = ['waiting', 'asked', 'accepted', 'declining', 'declining_asked'] as const satisfies ClaimState[];
const OPEN = sql.raw(OPEN_STATES.map((state) => `'${state}'`).join(', '));

/** Condition on a row of claims: it is not settled yet; a decline that is due is, even before the sweep writes so. */
export function isOpenClaim(claim: 'k' | 'claims', now: number): SQL {
  const column = (name: string) => sql.raw(`${claim}.${name}`);
  return sql`(${column('state')} in (${OPEN}) and coalesce(${column('decline_due_at')}, ${now + 1}) > ${now})`;
}

/** Condition: somebody's claim on the post is open. @param postId a value or a column. */
export function hasOpenClaim(postId: SQL, now: number): SQL {
  return sql`exists (select 1 from claims k where k.post_id = ${postId} and ${isOpenClaim('k', now)})`;
}

/** Condition: the finder has said that it is the person's. */
export function hasAcceptedClaim(postId: SQL, userId: SQL): SQL {
  return sql`exists (
    select 1 from claims k where k.post_id = ${postId} and k.claimant_id = ${userId} and k.state = 'accepted')`;
}

/** Condition: the thing was handed to whoever claimed it. */
export function isHandedOver(postId: SQL): SQL {
  return sql`exists (select 1 from claims k where k.post_id = ${postId} and k.state = 'handed_over')`;
}
