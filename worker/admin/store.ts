import { type SQL, sql } from 'drizzle-orm';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { CommunityDecisionJob } from '#contract/whatsapp.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { keepMessage } from '#worker/whatsapp/index.ts';
import { type DecidableCommunity, decidableCommunityRow, feedbackRow } from './admin-rules.ts';

/** A page of the feedback inbox, newest first. */
export async function listFeedback(db: Db, viewer: Viewer, { cursor, limit }: PageQuery) {
  const [rows] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, feedbackRow)`
      select seq, id, email, message, created_at from feedback
      where seq < ${cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)} order by seq desc limit ${limit + 1}`,
  ]);
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null };
}

/** The community that is to be decided. @throws AppError forbidden when the viewer does not run the platform. */
export async function findDecidable(db: Db, viewer: Viewer, communityId: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, decidableCommunityRow)`
      select c.id, c.name, c.approval_status, c.creator_id, u.language as creator_language
      from communities c join users u on u.id = c.creator_id where c.id = ${communityId}`,
  ]);
  return row;
}

export type Decision = {
  community: DecidableCommunity;
  message: CommunityDecisionMessage;
  /** The message over WhatsApp; null where no template for it is set up. */
  job: CommunityDecisionJob | null;
  now: number;
};

/**
 * Approves the community and writes what its creator is told, all or nothing.
 * @returns false when another admin decided first.
 */
export async function approve(db: Db, viewer: Viewer, decision: Decision): Promise<boolean> {
  const [, , approved] = await publishAs(db, viewer, [
    insertNotice(db, decision),
    keepJob(db, decision),
    queryRows(db, idRow)`
      update communities set approval_status = 1 where ${stillWaits(decision)} returning id`,
  ]);
  return approved.length > 0;
}

/**
 * Removes the pending community with its memberships and writes what its creator is told, all or nothing. It has no
 * posts: nobody may post into a community that waits.
 * @returns false when another admin decided first.
 */
export async function reject(db: Db, viewer: Viewer, decision: Decision): Promise<boolean> {
  const [, , , removed] = await publishAs(db, viewer, [
    insertNotice(db, decision),
    keepJob(db, decision),
    db.run(sql`
      delete from memberships where community_id in (select id from communities where ${stillWaits(decision)})`),
    queryRows(db, idRow)`delete from communities where ${stillWaits(decision)} returning id`,
  ]);
  return removed.length > 0;
}

/**
 * Makes a member an admin of their community, and its creator where the one before is none of its admins any more.
 * @returns false when nobody such is in it.
 */
export async function appointAdmin(db: Db, viewer: Viewer, communityId: string, userId: string): Promise<boolean> {
  const isAdmin = (person: SQL) => sql`exists (
    select 1 from memberships m where m.community_id = ${communityId} and m.user_id = ${person} and m.role = 'admin')`;
  const [appointed] = await publishAs(db, viewer, [
    queryRows(db, idRow)`
      update memberships set role = 'admin' where community_id = ${communityId} and user_id = ${userId}
      returning user_id as id`,
    db.run(sql`
      update communities set creator_id = ${userId}
      where id = ${communityId} and ${isAdmin(sql`${userId}`)} and not ${isAdmin(sql`communities.creator_id`)}`),
  ]);
  return appointed.length > 0;
}

/** @throws AppError forbidden when the viewer does not run the platform. */
export async function findCommunity(db: Db, viewer: Viewer, id: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, idRow)`select id from communities where id = ${id}`,
  ]);
  return row;
}

/** Condition on a community: it is the one to be decided, and nobody has. */
function stillWaits({ community }: Decision): SQL {
  return sql`id = ${community.id} and approval_status = 0`;
}

function insertNotice(db: Db, decision: Decision) {
  const { message, now } = decision;
  return db.run(sql`
    insert into notices (id, recipient_id, type, body, created_at)
    select ${message.id}, creator_id, ${message.type}, ${JSON.stringify(message)}, ${now}
    from communities where ${stillWaits(decision)}`);
}

function keepJob(db: Db, decision: Decision) {
  if (decision.job === null) return db.run(sql`select 1`);
  return keepMessage(
    db,
    decision.job,
    sql`exists (select 1 from communities where ${stillWaits(decision)})`,
    decision.now,
  );
}
