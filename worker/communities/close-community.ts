import { eq, type SQL, sql } from 'drizzle-orm';
import { CLOSES_AFTER_MS, isAdminOf, isMember } from '#worker/conditions/communities.ts';
import { batch, type Db, publishAs } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/statements.ts';
import { communityRemovals, joinRequests } from '#worker/db/tables/communities.ts';
import type { Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, allowanceOf, assertRoom, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { notifyOtherMembers } from '#worker/notices/keep-notice.ts';
import { restPosts, selectOpenIn } from '#worker/posts/post-states.ts';
import { assertMay } from './community-rules.ts';
import { selectCommunityWhere } from './find-community.ts';
import type { CommunityRow, MemberCommunityRow } from './present-community.ts';

/**
 * How many members' notices a request to close or reopen a community delivers. The scheduled sweep delivers the other
 * notices within a minute.
 */
const TOLD_AT_ONCE = 50;

/**
 * Sets the date on which the community closes. @returns the community afterwards.
 * @throws AppError too_many_requests, or any error of `assertMay`.
 */
export async function closeCommunity(c: AppContext, viewer: Viewer, id: string): Promise<CommunityRow | undefined> {
  const { config, db } = c.var;
  const now = Date.now();
  const allowance = allowanceOf(config, 'community_closing', id);
  const { before, after, noticeIds, counted } = await writeClosing(db, viewer, id, { allowance, now });
  assertMay('close', before);
  if (after?.closes_at == null) assertRoom(allowance, counted, now);
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
  return after;
}

/**
 * Cancels the closing.
 * @returns the community afterwards.
 * @throws AppError wrong_state, or any error of `assertMay`.
 */
export async function reopenCommunity(c: AppContext, viewer: Viewer, id: string): Promise<MemberCommunityRow> {
  const { db } = c.var;
  const { after, noticeIds } = await writeReopening(db, viewer, id, Date.now());
  const community = assertMay(after?.member_count === 1 ? 'reopen_alone' : 'reopen', after);
  if (community.closes_at !== null) throw new AppError('wrong_state');
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
  return community;
}

/**
 * Sets the date on which the community closes, unless it is already closing, and notifies its members.
 * @returns the community before and after, the notices to deliver now, and the counter of the limit on closings.
 */
async function writeClosing(
  db: Db,
  viewer: Viewer,
  id: string,
  { allowance, now }: { allowance: Allowance; now: number },
) {
  const closesAt = now + CLOSES_AFTER_MS;
  const isDue = sql`(c.closes_at is null and ${isAdminOf(id, viewer.userId)} and ${hasRoom(allowance, now)})`;
  const others = { communityId: id, userId: viewer.userId };
  const { before, notified, after, counted } = await publishAs(db, viewer, {
    before: selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
    notified: notifyOtherMembers(
      db,
      others,
      { type: 'community_closing', closes_at: new Date(closesAt).toISOString() },
      isDue,
      now,
    ),
    updateCommunities: db.run(sql`update communities as c set closes_at = ${closesAt} where c.id = ${id} and ${isDue}`),
    count: countIf(db, allowance, sql`changes() > 0`, now),
    after: selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
    counted: readCount(db, allowance, now),
  });
  return { before, after, noticeIds: firstOf(notified), counted };
}

/**
 * Cancels the closing before its date. An admin can do so, and so can a community's only member.
 * @returns the community afterwards, and the notices to deliver now.
 */
async function writeReopening(db: Db, viewer: Viewer, id: string, now: number) {
  const isAlone = sql`(c.member_count = 1 and ${isMember(id, viewer.userId)})`;
  const isDue = sql`(c.closes_at > ${now} and (${isAdminOf(id, viewer.userId)} or ${isAlone}))`;
  const others = { communityId: id, userId: viewer.userId };
  const { notified, after } = await publishAs(db, viewer, {
    notified: notifyOtherMembers(db, others, { type: 'community_reopened', closes_at: null }, isDue, now),
    updateCommunities: db.run(sql`update communities as c set closes_at = null where c.id = ${id} and ${isDue}`),
    after: selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
  });
  return { after, noticeIds: firstOf(notified) };
}

function firstOf(notified: { id: string }[]): string[] {
  return idsOf(notified.slice(0, TOLD_AT_ONCE));
}

const ROUNDS_MAX = 10;

/**
 * Closes the communities whose closing date has come: removes their members, and sets their posts to rest. A large
 * community may need several runs of the scheduled sweep. A run that was interrupted is repeated.
 */
export async function closeCommunities(env: Env, db: Db, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await listToClose(db, now);
    if (due.length === 0) return;
    for (const { id } of due) {
      try {
        await closeSome(env, db, id, now);
      } catch (error) {
        // A community that fails must not prevent others from closing.
        log.warn('closing_failed', { name: errorName(error) });
      }
    }
  }
}

async function closeSome(env: Env, db: Db, id: string, now: number): Promise<void> {
  const posts = selectOpenIn(id);
  const { rested } = await batch(db, {
    rested: restPosts(db, posts, now),
    empty: removeMembers(db, id),
    close: closeEmptied(db, id, posts, now),
  });
  await deliverNotices(env, db, idsOf(rested.withdrawn));
}

const COMMUNITIES_AT_ONCE = 5;
const MEMBERS_AT_ONCE = 500;

/** A bounded number of communities that are due to close, longest overdue first. */
function listToClose(db: Db, now: number) {
  return queryRows(db, idRow)`
    select id from communities where closed_at is null and closes_at <= ${now}
    order by closes_at, id limit ${COMMUNITIES_AT_ONCE}`;
}

/**
 * Statements: remove at most MEMBERS_AT_ONCE members. Repeated runs remove all members, because nobody can join a
 * community that is due to close.
 */
function removeMembers(db: Db, id: string) {
  return {
    deleteMemberships: db.run(sql`
      delete from memberships where community_id = ${id} and user_id in (
        select m.user_id from memberships m where m.community_id = ${id} limit ${MEMBERS_AT_ONCE})`),
    deleteJoinRequests: db.delete(joinRequests).where(eq(joinRequests.communityId, id)),
    deleteCommunityRemovals: db.delete(communityRemovals).where(eq(communityRemovals.communityId, id)),
  };
}

/**
 * Statements, to run after `removeMembers` and after the posts were set to rest: close the community if it has neither
 * members nor open posts. A community with posts keeps its row, as the posts refer to it; otherwise the row is deleted.
 * @param openPosts selects the community's open posts.
 */
function closeEmptied(db: Db, id: string, openPosts: SQL, now: number) {
  const isEmpty = sql`id = ${id} and member_count = 0 and closed_at is null`;
  const hasPosts = sql`exists (select 1 from posts p where p.community_id = communities.id)`;
  return {
    deleteCommunities: db.run(sql`delete from communities where ${isEmpty} and not ${hasPosts}`),
    updateCommunities: db.run(sql`
      update communities set closed_at = ${now}, access_code = lower(hex(randomblob(16))),
        pending_name = null, pending_name_by = null, pending_name_at = null
      where ${isEmpty} and not exists (${openPosts})`),
  };
}
