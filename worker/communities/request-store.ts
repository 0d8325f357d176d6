import { sql } from 'drizzle-orm';
import type { MemberListQuery } from '#contract/communities.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { claimKey, hasClaimed, type IdempotencyKey, isKey, releaseKey, selectMade } from '#worker/db/idempotency.ts';
import { idRow, idsOf, queryRows } from '#worker/db/rows.ts';
import { parseTimeCursor, toTimePage } from '#worker/db/time-page.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { hasRequested, IS_JOINABLE, IS_LISTED, isAdminOf, isMember, isRemovedFrom } from './community-conditions.ts';
import { requestRow } from './community-rules.ts';
import { selectCommunityWhere, selectForNewcomer } from './store.ts';

type NewRequest = {
  communityId: string;
  message: string | null;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  now: number;
};

/**
 * Asks to join, if nothing prevents it, and notifies the admins.
 * @returns the community as it was before, what the same key has made before, and whether that is still there, the count
 * of the day's requests, and the notices to deliver.
 */
export async function insertRequest(db: Db, viewer: Viewer, request: NewRequest) {
  const { communityId, message, idempotencyKey, allowance, now } = request;
  const [id, me, community] = [newId(), sql`${viewer.userId}`, sql.raw('c.id')];
  const isMade = sql`exists (select 1 from join_requests where id = ${id})`;
  const [[before], [repeated], there, [counted], , , , , told] = await publishAs(db, viewer, [
    selectForNewcomer(db, viewer, sql`c.id = ${communityId}`, now),
    selectMade(db, viewer, idempotencyKey, now),
    queryRows(db, idRow)`
      select r.id from idempotency_keys k cross join join_requests r on r.id = k.post_id
      where ${isKey(viewer, idempotencyKey, now)}`,
    readCount(db, allowance, now),
    claimKey(db, viewer, idempotencyKey, id, now),
    db.run(sql`
      insert into join_requests (id, community_id, user_id, message, created_at)
      select ${id}, c.id, ${viewer.userId}, ${message}, ${now} from communities c
      where c.id = ${communityId} and ${IS_LISTED} and ${IS_JOINABLE} and ${hasClaimed(viewer, idempotencyKey, id)}
        and not ${isMember(community, me)}
        and not ${isRemovedFrom(community, me, now)} and not ${hasRequested(community, me, now)}
        and ${hasRoom(allowance, now)}
      on conflict (community_id, user_id) do update set
        id = excluded.id, message = excluded.message, created_at = excluded.created_at, declined_at = null`),
    countIf(db, allowance, isMade, now),
    releaseKey(db, viewer, idempotencyKey, id, isMade),
    queryRows(db, idRow)`
      with made as materialized (
        select lower(hex(randomblob(16))) as id, m.user_id, c.id as community_id, c.name
        from communities c cross join memberships m on m.community_id = c.id and m.role = 'admin'
        where c.id = ${communityId} and ${isMade})
      insert into notices (id, recipient_id, type, body, created_at)
      select id, user_id, 'join_request', json_object('type', 'join_request', 'id', id, 'community_id', community_id,
        'name', name, 'created_at', ${new Date(now).toISOString()}), ${now}
      from made returning id`,
  ]);
  return { before, repeated, isThere: there.length > 0, counted, noticeIds: idsOf(told) };
}

/** The community, for the caller to authorise, and a page of requests to join it, longest waiting first. */
export async function readRequests(db: Db, viewer: Viewer, communityId: string, { cursor, limit }: MemberListQuery) {
  const after = parseTimeCursor(cursor);
  const [[community], rows] = await readAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    queryRows(db, requestRow)`
      select r.user_id, u.username, r.message, r.created_at
      from join_requests r cross join users u on u.id = r.user_id
      where r.community_id = ${communityId} and r.declined_at is null
        ${after ? sql`and (r.created_at, r.user_id) > (${after.time}, ${after.id})` : sql``}
      order by r.created_at, r.user_id limit ${limit + 1}`,
  ]);
  return { community, page: toTimePage(rows, limit, (row) => ({ time: row.created_at, id: row.user_id })) };
}

type Answered = { communityId: string; userId: string; now: number };

/**
 * Accepts a request and notifies the person. Of a concurrent acceptance and refusal the first one counts.
 * @returns the community as it was before, whether the request was accepted, and the notice to deliver.
 */
export async function acceptRequest(db: Db, viewer: Viewer, { communityId, userId, now }: Answered) {
  const noticeId = newId();
  const waits = sql`exists (
    select 1 from join_requests r where r.community_id = c.id and r.user_id = ${userId} and r.declined_at is null)`;
  const isDue = sql`(c.id = ${communityId} and ${IS_JOINABLE} and ${isAdminOf(communityId, viewer.userId)} and ${waits})`;
  const [[community], , , accepted] = await publishAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    db.run(sql`
      insert into notices (id, recipient_id, type, body, created_at)
      select ${noticeId}, ${userId}, 'join_accepted', json_object('type', 'join_accepted', 'id', ${noticeId},
        'community_id', c.id, 'name', c.name, 'created_at', ${new Date(now).toISOString()}), ${now}
      from communities c where ${isDue}`),
    db.run(sql`
      insert into memberships (community_id, user_id, role, joined_at)
      select c.id, ${userId}, 'member', ${now} from communities c where ${isDue}
      on conflict (community_id, user_id) do nothing`),
    queryRows(db, idRow)`
      delete from join_requests where community_id = ${communityId} and user_id = ${userId}
        and exists (select 1 from communities c where ${isDue}) returning id`,
  ]);
  return { community, isAnswered: accepted.length > 0, noticeIds: [noticeId] };
}

/** Declines a request, without notifying the person. @returns the community as it was before, and whether one was waiting. */
export async function declineRequest(db: Db, viewer: Viewer, { communityId, userId, now }: Answered) {
  const [[community], declined] = await publishAs(db, viewer, [
    selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    queryRows(db, idRow)`
      update join_requests set declined_at = ${now}
      where community_id = ${communityId} and user_id = ${userId} and declined_at is null
        and ${isAdminOf(communityId, viewer.userId)} returning id`,
  ]);
  return { community, isAnswered: declined.length > 0 };
}
