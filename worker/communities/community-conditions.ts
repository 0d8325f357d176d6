import { type SQL, sql } from 'drizzle-orm';
import { JOIN_REQUEST_AGAIN_DAYS, REMOVAL_DAYS } from '#contract/limits.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

// What a step asks of the rows it changes stands in its own statement: of two steps at once the second one finds what the
// first has left. What is answered then is for the rules to say.

const DAY_MS = 24 * 60 * 60 * 1000;

/** Condition on a community `c`: strangers find it by its name. The index is made of the same. */
export const IS_LISTED = sql.raw(
  '(c.approval_status = 1 and c.is_listed = 1 and c.closes_at is null and c.member_count > 0)',
);

/** Condition: somebody in the community may act for it. @param community such as `c.id`. */
export function hasAdmin(community: SQL): SQL {
  return sql`exists (select 1 from memberships a where a.community_id = ${community} and a.role = 'admin')`;
}

/** Condition: the person runs the community. */
export function isAdminOf(community: SQL, userId: string): SQL {
  return sql`exists (
    select 1 from memberships a where a.community_id = ${community} and a.user_id = ${userId} and a.role = 'admin')`;
}

/** Condition: the person was removed from the community so recently that they may not come back. */
export function isRemovedFrom(community: SQL, userId: string, now: number): SQL {
  return sql`exists (
    select 1 from community_removals x
    where x.community_id = ${community} and x.user_id = ${userId} and x.removed_at > ${now - REMOVAL_DAYS * DAY_MS})`;
}

/** Condition on a row `r` of join_requests: it is the viewer's for the community, and keeps them from asking again. */
export function isRequestOf(viewer: Viewer, community: SQL, now: number): SQL {
  return sql`(r.community_id = ${community} and r.user_id = ${viewer.userId}
    and (r.declined_at is null or r.declined_at > ${now - JOIN_REQUEST_AGAIN_DAYS * DAY_MS}))`;
}
