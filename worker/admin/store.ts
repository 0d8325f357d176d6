import { sql } from 'drizzle-orm';
import type { FeedbackListQuery } from '#contract/feedback.ts';
import { isAdminOf, isMember } from '#worker/communities/index.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction } from '#worker/moderation/index.ts';
import { feedbackRow } from './admin-rules.ts';

const STATES = { open: sql.raw('and done_at is null'), done: sql.raw('and done_at is not null') } as const;

/** A page of the feedback inbox, newest first. */
export async function listFeedback(db: Db, viewer: Viewer, { state, cursor, limit }: FeedbackListQuery) {
  const [rows] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, feedbackRow)`
      select seq, id, email, message, created_at, done_at from feedback
      where seq < ${cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)}
        ${state === undefined ? sql`` : STATES[state]} order by seq desc limit ${limit + 1}`,
  ]);
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null };
}

/** @returns the feedback, if it exists. @throws AppError forbidden unless the viewer is a platform admin. */
export async function findFeedback(db: Db, viewer: Viewer, id: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, idRow)`select id from feedback where id = ${id}`,
  ]);
  return row;
}

/** Marks feedback as done. It is idempotent. */
export async function finishFeedback(db: Db, viewer: Viewer, id: string): Promise<void> {
  const now = Date.now();
  const isDue = sql`exists (select 1 from feedback w where w.id = ${id} and w.done_at is null)`;
  const event = { actor: viewer, action: 'feedback_done', targetType: 'feedback', targetId: id, reason: null } as const;
  await publishAsPlatformAdmin(db, viewer, [
    logAction(db, event, now, isDue),
    db.run(sql`update feedback set done_at = ${now} where id = ${id} and done_at is null`),
  ]);
}

/**
 * Makes a member an admin of their community, and its creator if the previous one is no longer an admin.
 * @returns false when the person is not a member.
 */
export async function appointAdmin(db: Db, viewer: Viewer, communityId: string, userId: string): Promise<boolean> {
  const isAdmin = isAdminOf(communityId, userId);
  const event = {
    actor: viewer,
    action: 'appoint',
    targetType: 'community',
    targetId: communityId,
    reason: null,
  } as const;
  const [, appointed] = await publishAsPlatformAdmin(db, viewer, [
    logAction(db, event, Date.now(), sql`${isMember(communityId, userId)} and not ${isAdmin}`),
    queryRows(db, idRow)`
      update memberships set role = 'admin' where community_id = ${communityId} and user_id = ${userId}
      returning user_id as id`,
    db.run(sql`
      update communities set creator_id = ${userId}
      where id = ${communityId} and ${isAdmin} and not ${isAdminOf(communityId, sql.raw('communities.creator_id'))}`),
  ]);
  return appointed.length > 0;
}

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function findCommunity(db: Db, viewer: Viewer, id: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, idRow)`select id from communities where id = ${id}`,
  ]);
  return row;
}
