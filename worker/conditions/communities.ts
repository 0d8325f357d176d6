import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/durations.ts';
import { COMMUNITY_CLOSES_DAYS, JOIN_REQUEST_AGAIN_DAYS, REMOVAL_DAYS } from '#contract/limits.ts';
import { readJoinCode } from '#contract/links.ts';

// Check these conditions inside the statement that writes, not in an earlier read: the second of two concurrent
// requests then sees what the first one changed. To find the error code for a refused request, read the row in the
// same transaction.
export const CLOSES_AFTER_MS = COMMUNITY_CLOSES_DAYS * DAY_MS;
const AGAIN_AFTER_MS = JOIN_REQUEST_AGAIN_DAYS * DAY_MS;
const REMOVAL_MS = REMOVAL_DAYS * DAY_MS;

/**
 * Condition on a community `c`: strangers can find it by name. The index `communities_listed` repeats this condition.
 */
export const IS_LISTED = sql.raw(
  '(c.approval_status = 1 and c.is_listed = 1 and c.closes_at is null and c.suspended_at is null and c.member_count > 0)',
);

/**
 * Condition on a membership `a`: its member is an admin who is not suspended. A suspended admin keeps the role, but not
 * the admin's rights.
 */
export const RUNS_IT = sql.raw(`(a.role = 'admin' and exists (
  select 1 from users s where s.id = a.user_id and s.suspended_at is null))`);

/** Condition on a community `c`: at least one admin is not suspended. */
export const HAS_ADMIN = sql`exists (select 1 from memberships a where a.community_id = c.id and ${RUNS_IT})`;

/** Condition on a community `c`: people can join it. */
export const IS_JOINABLE = sql`(c.approval_status = 1 and c.closes_at is null and c.suspended_at is null and ${HAS_ADMIN})`;

/** Condition: the person is in the community. @param community an id, or a column. */
export function isMember(community: SQL | string, userId: SQL | string): SQL {
  return sql`exists (
    select 1 from memberships v where v.community_id = ${community} and v.user_id = ${userId})`;
}

/** Condition: the person is one of the community's admins. @param community an id, or a column. */
export function isAdminOf(community: SQL | string, userId: SQL | string): SQL {
  return sql`exists (
    select 1 from memberships v where v.community_id = ${community} and v.user_id = ${userId} and v.role = 'admin')`;
}

/** Condition: the platform's admins have suspended the community. @param community an id, or a column. */
export function isSuspended(community: SQL | string): SQL {
  return sql`exists (select 1 from communities w where w.id = ${community} and w.suspended_at is not null)`;
}

/** Condition: the person may post into the community. Into a suspended community only its admins may post. */
export function mayPostInto(community: SQL, userId: SQL): SQL {
  return sql`(${isMember(community, userId)} and (not ${isSuspended(community)} or ${isAdminOf(community, userId)}))`;
}

/** Condition: the community has an unsuspended admin other than the person. @param community an id, or a column. */
export function hasOtherAdmin(community: SQL | string, userId: string): SQL {
  return sql`exists (
    select 1 from memberships a where a.community_id = ${community} and a.user_id <> ${userId} and ${RUNS_IT})`;
}

/** Condition: the person was removed from the community recently and may not rejoin yet. */
export function isRemovedFrom(community: SQL, userId: SQL, now: number): SQL {
  return sql`exists (
    select 1 from community_removals x
    where x.community_id = ${community} and x.user_id = ${userId} and x.removed_at > ${now - REMOVAL_MS})`;
}

/** Condition: the person has asked to join the community and may not ask again yet. */
export function hasRequested(community: SQL, userId: SQL, now: number): SQL {
  return sql`exists (
    select 1 from join_requests r where r.community_id = ${community} and r.user_id = ${userId}
      and (r.declined_at is null or r.declined_at > ${now - AGAIN_AFTER_MS}))`;
}

/** Condition on a community: the typed code is its public code or its access code. @param typed see `parseCode`. */
export function hasCode(typed: string): SQL {
  const code = parseCode(typed);
  return sql`(community_code = ${code} or access_code = ${code})`;
}

/** Expression: the id of the community with this public code or access code. */
export function communityIdOf(typed: string): SQL {
  return sql`(select id from communities where ${hasCode(typed)})`;
}

/**
 * Normalises a code that was typed in any case, with spaces or dashes, or as part of a join link.
 * @returns only upper-case letters and digits, even if the input contains no code.
 */
export function parseCode(typed: string): string {
  return readJoinCode(typed)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
}
