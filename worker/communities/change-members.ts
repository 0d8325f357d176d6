import { type SQL, sql } from 'drizzle-orm';
import type { MemberRole } from '#contract/communities.ts';
import { CLOSES_AFTER_MS, hasOtherAdmin, isAdminOf, isMember, isSuspended } from '#worker/conditions/communities.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { idRow, idsOf, queryFirst, queryRows } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { withdrawInside } from '#worker/notices/withdraw-notices.ts';
import { assertMay } from './community-rules.ts';
import { selectCommunityWhere } from './find-community.ts';
import { type CommunityRow, type MemberRow, memberRow } from './present-community.ts';

type Place = { communityId: string; userId: string };

/**
 * Changes a member's role.
 * @throws AppError member_not_found, community_suspended, last_admin, or any error of `assertMay`.
 */
export async function setRole(db: Db, viewer: Viewer, place: Place, role: MemberRole): Promise<MemberRow> {
  const { community, member } = await writeRole(db, viewer, place, role);
  assertMay('set_role', community);
  if (!member) throw new AppError('member_not_found');
  if (member.role !== role) throw new AppError(role === 'admin' ? 'community_suspended' : 'last_admin');
  return member;
}

/** Removes another member from the community. @throws AppError member_not_found, or any error of `assertMay`. */
export async function removeMember(c: AppContext, viewer: Viewer, place: Place): Promise<void> {
  const { db } = c.var;
  const { community, isRemoved, noticeIds } = await writeRemoval(db, viewer, place, Date.now());
  assertMay('remove', community);
  if (!isRemoved) throw new AppError('member_not_found');
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
}

/**
 * Removes the viewer from the community. If the viewer is its only member, the community begins to close instead.
 * @returns the closing community; null if the viewer was removed.
 * @throws AppError last_admin, or any error of `assertMay`.
 */
export async function leaveCommunity(c: AppContext, viewer: Viewer, communityId: string): Promise<CommunityRow | null> {
  const { db } = c.var;
  const { community, after, hasLeft, noticeIds } = await writeLeaving(db, viewer, communityId, Date.now());
  assertMay('leave', community);
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
  if (hasLeft) return null;
  if (!after) throw new AppError('last_admin');
  return after;
}

/**
 * Changes a member's role. In a suspended community nobody becomes an admin, because only its admins may read the
 * community. The last admin stays an admin, even if two admins change each other's role at the same time.
 * @returns the community as it was before, and the changed member.
 */
async function writeRole(db: Db, viewer: Viewer, { communityId, userId }: Place, role: MemberRole) {
  const { community, member } = await publishAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    updateMemberships: db.run(sql`
      update memberships set role = ${role}
      where community_id = ${communityId} and user_id = ${userId} and ${isAdminOf(communityId, viewer.userId)}
        and iif(${role} = 'admin', not ${isSuspended(communityId)}, ${hasOtherAdmin(communityId, userId)})`),
    keepCreatorAdmin: keepCreatorAdmin(db, communityId),
    member: queryFirst(db, memberRow)`
      select m.user_id, u.username, m.role, m.joined_at from memberships m join users u on u.id = m.user_id
      where m.community_id = ${communityId} and m.user_id = ${userId}`,
  });
  return { community, member };
}

/**
 * Removes another person, who may not rejoin for a while.
 * @returns the community before the removal, whether the person was removed, and the ids of the notices to withdraw.
 */
async function writeRemoval(db: Db, viewer: Viewer, { communityId, userId }: Place, now: number) {
  const isRemovable = sql`(${userId} <> ${viewer.userId} and ${isAdminOf(communityId, viewer.userId)})`;
  const { community, removed, withdrawn } = await publishAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    insertCommunityRemovals: db.run(sql`
      insert into community_removals (community_id, user_id, removed_at)
      select m.community_id, m.user_id, ${now} from memberships m
      where m.community_id = ${communityId} and m.user_id = ${userId} and ${isRemovable}
      on conflict (community_id, user_id) do update set removed_at = excluded.removed_at`),
    removed: queryRows(db, idRow)`
      delete from memberships where community_id = ${communityId} and user_id = ${userId} and ${isRemovable}
      returning user_id as id`,
    keepCreatorAdmin: keepCreatorAdmin(db, communityId),
    withdrawn: withdrawInside(db, userId, communityId),
  });
  return { community, isRemoved: removed.length > 0, noticeIds: idsOf(withdrawn) };
}

/**
 * Removes the viewer. The last admin cannot leave while there are other members. If the viewer is the only member, the
 * community begins to close instead.
 * @returns the community before the change and, if the viewer is the only member, after the change (`after`); whether
 * the viewer has left; and the ids of the notices to withdraw.
 */
async function writeLeaving(db: Db, viewer: Viewer, communityId: string, now: number) {
  const { userId } = viewer;
  const isAlone = sql`(select c.member_count from communities c where c.id = ${communityId}) = 1`;
  const { community, left, withdrawn, after } = await publishAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    updateCommunities: db.run(sql`
      update communities set closes_at = ${now + CLOSES_AFTER_MS}
      where id = ${communityId} and member_count = 1 and closes_at is null and ${isMember(communityId, userId)}`),
    left: queryRows(db, idRow)`
      delete from memberships where community_id = ${communityId} and user_id = ${userId} and not ${isAlone}
        and (role <> 'admin' or ${hasOtherAdmin(communityId, userId)})
      returning user_id as id`,
    keepCreatorAdmin: keepCreatorAdmin(db, communityId),
    withdrawn: withdrawInside(db, userId, communityId),
    after: selectCommunityWhere(db, viewer, sql`c.id = ${communityId} and c.member_count = 1`),
  });
  return { community, after, hasLeft: left.length > 0, noticeIds: idsOf(withdrawn) };
}

/**
 * Statements: remove the person from all communities, and delete their join requests and their unapproved communities.
 * If the person was the only member, the scheduled sweep closes the community. Other communities that the person
 * created continue, possibly without an admin.
 */
export function leaveCommunities(db: Db, userId: string, condition: SQL, now: number) {
  const pending = sql`select id from communities where creator_id = ${userId} and approval_status = 0 and ${condition}`;
  const own = sql`select community_id from memberships where user_id = ${userId}`;
  return {
    deleteMembersOfPending: db.run(sql`delete from memberships where community_id in (${pending})`),
    deletePending: db.run(sql`delete from communities where id in (${pending})`),
    closeEmptied: db.run(sql`
      update communities set closes_at = ${now} where id in (${own}) and member_count = 1 and ${condition}`),
    deleteMemberships: db.run(sql`delete from memberships where user_id = ${userId} and ${condition}`),
    deleteJoinRequests: db.run(sql`delete from join_requests where user_id = ${userId} and ${condition}`),
    withdrawNames: db.run(sql`
      update communities set pending_name = null, pending_name_by = null, pending_name_at = null
      where pending_name_by = ${userId} and ${condition}`),
  };
}

/**
 * Statements for the erasure of a person who has already left all communities and has no posts. Communities that the
 * person created are deleted if they have no members and no posts. Otherwise they get a new creator: the
 * longest-standing admin, else the longest-standing member, else an author of posts in the community.
 */
export function handOverCommunities(db: Db, userId: string) {
  const heir = sql`coalesce((
    select m.user_id from memberships m where m.community_id = communities.id
    order by m.role = 'admin' desc, m.joined_at, m.user_id limit 1), (
    select p.author_id from posts p where p.community_id = communities.id limit 1))`;
  return {
    deleteCommunities: db.run(sql`delete from communities where creator_id = ${userId} and ${heir} is null`),
    updateCommunities: db.run(sql`update communities set creator_id = ${heir} where creator_id = ${userId}`),
  };
}

/** Statement: if the creator is no longer an admin, the longest-standing admin becomes the creator. */
function keepCreatorAdmin(db: Db, communityId: string) {
  const heir = sql`(
    select a.user_id from memberships a where a.community_id = communities.id and a.role = 'admin'
    order by a.joined_at, a.user_id limit 1)`;
  return db.run(sql`
    update communities set creator_id = ${heir}
    where id = ${communityId} and ${heir} is not null
      and not ${isAdminOf(sql.raw('communities.id'), sql.raw('communities.creator_id'))}`);
}
