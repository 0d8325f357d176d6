import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { communityRemovals, joinRequests } from '#worker/db/schema.ts';

const COMMUNITIES_AT_ONCE = 5;
const MEMBERS_AT_ONCE = 500;

/** A bounded number of communities that are due to close, longest overdue first. */
export function listToClose(db: Db, now: number) {
  return queryRows(db, idRow)`
    select id from communities where closed_at is null and closes_at <= ${now}
    order by closes_at, id limit ${COMMUNITIES_AT_ONCE}`;
}

/**
 * Statements: remove a bounded number of members. To be repeated until the community is closed; nobody can join in the
 * meantime.
 */
export function emptyStatements(db: Db, id: string) {
  return [
    db.run(sql`
      delete from memberships where community_id = ${id} and user_id in (
        select m.user_id from memberships m where m.community_id = ${id} limit ${MEMBERS_AT_ONCE})`),
    db.delete(joinRequests).where(eq(joinRequests.communityId, id)),
    db.delete(communityRemovals).where(eq(communityRemovals.communityId, id)),
  ] as const;
}

/**
 * Statements, to be run after `emptyStatements` and after its posts rest: close a community without members and open
 * posts. If it has posts it is kept, as they refer to it by its code; otherwise it is deleted.
 * @param openPosts selects its open posts.
 */
export function closeStatements(db: Db, id: string, openPosts: SQL, now: number) {
  const isEmpty = sql`id = ${id} and member_count = 0 and closed_at is null`;
  const hasPosts = sql`exists (select 1 from posts p where p.community_id = communities.id)`;
  return [
    db.run(sql`delete from communities where ${isEmpty} and not ${hasPosts}`),
    db.run(sql`
      update communities set closed_at = ${now}, access_code = lower(hex(randomblob(16))),
        pending_name = null, pending_name_by = null, pending_name_at = null
      where ${isEmpty} and not exists (${openPosts})`),
  ] as const;
}
