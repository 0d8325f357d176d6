import { sql } from 'drizzle-orm';
import type { JoinedCommunity, MemberListQuery } from '#contract/communities.ts';
import {
  hasRequested,
  IS_JOINABLE,
  IS_LISTED,
  isAdminOf,
  isMember,
  isRemovedFrom,
  parseCode,
} from '#worker/conditions/communities.ts';
import { type Db, publishAs, readAs } from '#worker/db/client.ts';
import { idRow, idsOf, parseTimeCursor, queryRows, toTimePage } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import {
  assertSameBody,
  hasReservedKey,
  type IdempotencyKey,
  isKey,
  readIdempotencyKey,
  releaseKey,
  reserveKey,
  selectMade,
} from '#worker/http/idempotency.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import {
  type Allowance,
  allowanceOf,
  assertRoom,
  assertWithin,
  countIf,
  hasRoom,
  readCount,
} from '#worker/limits/allowance.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { notifyCommunityAdmins, notifyNewMember } from '#worker/notices/keep-notice.ts';
import { assertJoinable, assertMay, assertOpen, assertRequestable } from './community-rules.ts';
import { selectCommunityWhere, selectForNewcomer } from './find-community.ts';
import { requestRow } from './present-community.ts';

/**
 * Joins a community by its access code.
 * @throws AppError too_many_requests, unavailable, or any error of `assertJoinable`.
 */
export async function joinByCode(c: AppContext, viewer: Viewer, accessCode: string): Promise<JoinedCommunity> {
  const { config, db } = c.var;
  const now = Date.now();
  const allowance = allowanceOf(config, 'wrong_access_code', viewer.userId);
  const attempt = { code: parseCode(accessCode), allowance, now };
  const { community, counted, hasJoined } = await writeJoining(db, viewer, attempt);
  // After too many wrong guesses even the correct code is refused for a while: otherwise guessing could continue.
  if (community) assertRoom(allowance, counted, now);
  else assertWithin(allowance, counted, now);
  const { id, name } = assertJoinable(community);
  if (!hasJoined) throw new AppError('unavailable');
  return { id, name };
}

/**
 * Asks the community's admins to accept the viewer, once per idempotency key.
 * @throws AppError idempotency_mismatch, idempotency_conflict, too_many_requests, or any error of `assertRequestable`.
 */
export async function requestToJoin(
  c: AppContext,
  viewer: Viewer,
  communityId: string,
  message: string | null,
): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const allowance = allowanceOf(config, 'join_request', viewer.userId);
  const idempotencyKey = await readIdempotencyKey(c);
  const request = { communityId, message, idempotencyKey, allowance, now };
  const { before, repeated, isThere, counted, noticeIds } = await insertRequest(db, viewer, request);
  if (repeated) {
    assertSameBody(repeated, idempotencyKey);
    // An earlier call with this key made a join request, which was accepted or deleted since.
    if (!isThere) throw new AppError('idempotency_conflict');
  } else {
    assertRequestable(before);
    assertRoom(allowance, counted, now);
  }
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
}

type Place = { communityId: string; userId: string };

/** Accepts a person's request. @throws AppError what `assertMay` and `assertOpen` throw, join_request_not_found. */
export async function acceptRequest(c: AppContext, viewer: Viewer, place: Place): Promise<void> {
  const { db } = c.var;
  const { community, isAnswered, noticeIds } = await writeAcceptance(db, viewer, { ...place, now: Date.now() });
  assertOpen(assertMay('answer_request', community));
  if (!isAnswered) throw new AppError('join_request_not_found');
  continueAfterAnswer(c, deliverNotices(c.env, db, noticeIds));
}

/**
 * Declines a person's request, without notifying this person.
 * @throws AppError join_request_not_found, or any error of `assertMay`.
 */
export async function declineRequest(c: AppContext, viewer: Viewer, place: Place): Promise<void> {
  const { community, isAnswered } = await writeRefusal(c.var.db, viewer, { ...place, now: Date.now() });
  assertMay('answer_request', community);
  if (!isAnswered) throw new AppError('join_request_not_found');
}

/**
 * Makes the viewer a member if the access code is right, or counts a wrong code. Everything is in one transaction, so
 * that nobody joins with a code that was just replaced, or a community that has just begun to close.
 * @returns the community before the viewer joined, the number of wrong codes in the current hour (including this one),
 * and whether the viewer has joined.
 */
async function writeJoining(db: Db, viewer: Viewer, attempt: { code: string; allowance: Allowance; now: number }) {
  const { code, allowance, now } = attempt;
  const me = sql`${viewer.userId}`;
  const isWrong = sql`not exists (select 1 from communities where access_code = ${code})`;
  const { community, counted, joined } = await publishAs(db, viewer, {
    community: selectForNewcomer(db, viewer, sql`c.access_code = ${code}`, now),
    count: countIf(db, allowance, isWrong, now),
    counted: readCount(db, allowance, now),
    joined: queryRows(db, idRow)`
      insert into memberships (community_id, user_id, role, joined_at)
      select c.id, ${viewer.userId}, 'member', ${now} from communities c
      where c.access_code = ${code} and ${IS_JOINABLE} and not ${isRemovedFrom(sql.raw('c.id'), me, now)}
        and ${hasRoom(allowance, now)}
      on conflict (community_id, user_id) do nothing returning community_id as id`,
    deleteJoinRequests: db.run(sql`
      delete from join_requests
      where user_id = ${viewer.userId} and ${isMember(sql.raw('join_requests.community_id'), viewer.userId)}`),
  });
  return { community, counted, hasJoined: joined.length > 0 };
}

type NewRequest = {
  communityId: string;
  message: string | null;
  idempotencyKey: IdempotencyKey | null;
  allowance: Allowance;
  now: number;
};

/**
 * Inserts the request, if nothing prevents it, and notifies the admins.
 * @returns `before`: the community before the request; `repeated`: the earlier request with the same idempotency key;
 * `isThere`: whether the earlier request still exists; `counted`: how many requests the viewer had already made today;
 * and the ids of the notices to deliver.
 */
async function insertRequest(db: Db, viewer: Viewer, request: NewRequest) {
  const { communityId, message, idempotencyKey, allowance, now } = request;
  const [id, me, community] = [newId(), sql`${viewer.userId}`, sql.raw('c.id')];
  const isMade = sql`exists (select 1 from join_requests where id = ${id})`;
  const { before, repeated, there, counted, notified } = await publishAs(db, viewer, {
    before: selectForNewcomer(db, viewer, sql`c.id = ${communityId}`, now),
    repeated: selectMade(db, viewer, idempotencyKey, now),
    there: queryRows(db, idRow)`
      select r.id from idempotency_keys k cross join join_requests r on r.id = k.post_id
      where ${isKey(viewer, idempotencyKey, now)}`,
    counted: readCount(db, allowance, now),
    reserveKey: reserveKey(db, viewer, idempotencyKey, id, now),
    insertJoinRequests: db.run(sql`
      insert into join_requests (id, community_id, user_id, message, created_at)
      select ${id}, c.id, ${viewer.userId}, ${message}, ${now} from communities c
      where c.id = ${communityId} and ${IS_LISTED} and ${IS_JOINABLE} and ${hasReservedKey(viewer, idempotencyKey, id)}
        and not ${isMember(community, me)}
        and not ${isRemovedFrom(community, me, now)} and not ${hasRequested(community, me, now)}
        and ${hasRoom(allowance, now)}
      on conflict (community_id, user_id) do update set
        id = excluded.id, message = excluded.message, created_at = excluded.created_at, declined_at = null`),
    count: countIf(db, allowance, isMade, now),
    releaseKey: releaseKey(db, viewer, idempotencyKey, id, isMade),
    notified: notifyCommunityAdmins(db, communityId, { type: 'join_request' }, isMade, now),
  });
  return { before, repeated, isThere: there.length > 0, counted, noticeIds: idsOf(notified) };
}

/**
 * Reads one page of the list of requests to join, longest waiting first. Also reads the community, so that the caller
 * can check what the viewer may do.
 */
export async function readRequests(db: Db, viewer: Viewer, communityId: string, { cursor, limit }: MemberListQuery) {
  const after = parseTimeCursor(cursor);
  const { community, requests } = await readAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    requests: queryRows(db, requestRow)`
      select r.user_id, u.username, r.message, r.created_at
      from join_requests r cross join users u on u.id = r.user_id
      where r.community_id = ${communityId} and r.declined_at is null
        ${after ? sql`and (r.created_at, r.user_id) > (${after.time}, ${after.id})` : sql``}
      order by r.created_at, r.user_id limit ${limit + 1}`,
  });
  return { community, page: toTimePage(requests, limit, (row) => ({ time: row.created_at, id: row.user_id })) };
}

type Answered = Place & { now: number };

/**
 * Accepts a request to join and notifies the person. If two admins answer the request concurrently, the first answer
 * counts.
 * @returns the community before the request was accepted, whether this call accepted the request, and the ids of the
 * notices to deliver.
 */
async function writeAcceptance(db: Db, viewer: Viewer, { communityId, userId, now }: Answered) {
  const noticeId = newId();
  const waits = sql`exists (
    select 1 from join_requests r where r.community_id = c.id and r.user_id = ${userId} and r.declined_at is null)`;
  const isDue = sql`(c.id = ${communityId} and ${IS_JOINABLE} and ${isAdminOf(communityId, viewer.userId)} and ${waits})`;
  const { community, accepted } = await publishAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    notified: notifyNewMember(db, noticeId, userId, isDue, now),
    insertMemberships: db.run(sql`
      insert into memberships (community_id, user_id, role, joined_at)
      select c.id, ${userId}, 'member', ${now} from communities c where ${isDue}
      on conflict (community_id, user_id) do nothing`),
    accepted: queryRows(db, idRow)`
      delete from join_requests where community_id = ${communityId} and user_id = ${userId}
        and exists (select 1 from communities c where ${isDue}) returning id`,
  });
  return { community, isAnswered: accepted.length > 0, noticeIds: [noticeId] };
}

/**
 * Declines a request to join, without notifying the person.
 * @returns the community, and whether this call declined the request.
 */
async function writeRefusal(db: Db, viewer: Viewer, { communityId, userId, now }: Answered) {
  const { community, declined } = await publishAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${communityId}`),
    declined: queryRows(db, idRow)`
      update join_requests set declined_at = ${now}
      where community_id = ${communityId} and user_id = ${userId} and declined_at is null
        and ${isAdminOf(communityId, viewer.userId)} returning id`,
  });
  return { community, isAnswered: declined.length > 0 };
}
