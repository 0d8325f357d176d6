import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';

/**
 * Statements: remove the person from all communities, with their join requests and the communities that they are still
 * waiting to have approved. Where they are the only member the sweep closes the community. Others that they have created
 * continue, possibly without an admin.
 */
export function leaveCommunities(db: Db, userId: string, condition: SQL, now: number) {
  const pending = sql`select id from communities where creator_id = ${userId} and approval_status = 0 and ${condition}`;
  const own = sql`select community_id from memberships where user_id = ${userId}`;
  return [
    db.run(sql`delete from memberships where community_id in (${pending})`),
    db.run(sql`delete from communities where id in (${pending})`),
    db.run(sql`
      update communities set closes_at = ${now} where id in (${own}) and member_count = 1 and ${condition}`),
    db.run(sql`delete from memberships where user_id = ${userId} and ${condition}`),
    db.run(sql`delete from join_requests where user_id = ${userId} and ${condition}`),
    db.run(sql`
      update communities set pending_name = null, pending_name_by = null, pending_name_at = null
      where pending_name_by = ${userId} and ${condition}`),
  ] as const;
}

/**
 * Statements, once the person has left and has no posts any more: of the communities that they have created, empty ones
 * are deleted. The others go to their longest-standing admin, else member, else to an author with posts in them.
 */
export function handOverCommunities(db: Db, userId: string) {
  const heir = sql`coalesce((
    select m.user_id from memberships m where m.community_id = communities.id
    order by m.role = 'admin' desc, m.joined_at, m.user_id limit 1), (
    select p.author_id from posts p where p.community_id = communities.id limit 1))`;
  return [
    db.run(sql`delete from communities where creator_id = ${userId} and ${heir} is null`),
    db.run(sql`update communities set creator_id = ${heir} where creator_id = ${userId}`),
  ] as const;
}
