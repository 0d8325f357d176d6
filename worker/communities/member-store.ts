import { sql } from 'drizzle-orm';
import type { MemberRole } from '#contract/communities.ts';
import { type Db, publishAs, type Query } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import {
  CLOSES_AFTER_MS,
  hasOtherAdmin,
  isAdminOf,
  isMember,
  isSuspended,
  keepCreatorAdmin,
} from './community-conditions.ts';
import { memberRow } from './community-rules.ts';
import { selectCommunityWhere } from './store.ts';

/** Statement: withdraws a person's unread notices about the posts of a community. Returns their ids. */
type WithdrawInside = (db: Db, userId: string, communityId: string) => Query<{ id: string }>;

type Place = { communityId: string; userId: string };

/**
 * Makes a member an admin, unless the community is suspended: only those who were its admins read it then. Or makes an
 * admin a member, except the last admin, also if two try at the same time.
 * @returns the community as it was before, and the changed member.
 */
export async function setRole(db: Db, viewer: Viewer, { communityId, userId }: Place, role: MemberRole) {
  const [[community], , , [member]] = await publishAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    db.run(sql`
      update memberships set role = ${role}
      where community_id = ${communityId} and user_id = ${userId} and ${isAdminOf(communityId, viewer.userId)}
        and iif(${role} = 'admin', not ${isSuspended(communityId)}, ${hasOtherAdmin(communityId, userId)})`),
    db.run(keepCreatorAdmin(communityId)),
    queryRows(db, memberRow)`
      select m.user_id, u.username, m.role, m.joined_at from memberships m join users u on u.id = m.user_id
      where m.community_id = ${communityId} and m.user_id = ${userId}`,
  ]);
  return { community, member };
}

/**
 * Removes somebody else, who may not rejoin for a while.
 * @returns the community as it was before, whether they were removed, and the ids of the notices to withdraw.
 */
export async function removeMember(
  db: Db,
  viewer: Viewer,
  { communityId, userId }: Place,
  { withdraw, now }: { withdraw: WithdrawInside; now: number },
) {
  const isRemovable = sql`(${userId} <> ${viewer.userId} and ${isAdminOf(communityId, viewer.userId)})`;
  const [[community], , removed, , withdrawn] = await publishAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    db.run(sql`
      insert into community_removals (community_id, user_id, removed_at)
      select m.community_id, m.user_id, ${now} from memberships m
      where m.community_id = ${communityId} and m.user_id = ${userId} and ${isRemovable}
      on conflict (community_id, user_id) do update set removed_at = excluded.removed_at`),
    queryRows(db, idRow)`
      delete from memberships where community_id = ${communityId} and user_id = ${userId} and ${isRemovable}
      returning user_id as id`,
    db.run(keepCreatorAdmin(communityId)),
    withdraw(db, userId, communityId),
  ]);
  return { community, isRemoved: removed.length > 0, noticeIds: idsOf(withdrawn) };
}

/**
 * Lets the viewer leave. The last admin cannot leave other members behind; if the viewer is the only member, the
 * community starts closing instead.
 * @returns the community as it was before, whether the viewer has left, the community afterwards if they are its only
 * member, and the ids of the notices to withdraw.
 */
export async function leaveCommunity(
  db: Db,
  viewer: Viewer,
  communityId: string,
  { withdraw, now }: { withdraw: WithdrawInside; now: number },
) {
  const { userId } = viewer;
  const isAlone = sql`(select c.member_count from communities c where c.id = ${communityId}) = 1`;
  const [[community], , left, , withdrawn, [after]] = await publishAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    db.run(sql`
      update communities set closes_at = ${now + CLOSES_AFTER_MS}
      where id = ${communityId} and member_count = 1 and closes_at is null and ${isMember(communityId, userId)}`),
    queryRows(db, idRow)`
      delete from memberships where community_id = ${communityId} and user_id = ${userId} and not ${isAlone}
        and (role <> 'admin' or ${hasOtherAdmin(communityId, userId)})
      returning user_id as id`,
    db.run(keepCreatorAdmin(communityId)),
    withdraw(db, userId, communityId),
    selectCommunityWhere(db, viewer, sql`c.id = ${communityId} and c.member_count = 1`),
  ]);
  return { community, after, hasLeft: left.length > 0, noticeIds: idsOf(withdrawn) };
}
