import { type SQL, sql } from 'drizzle-orm';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { LoggedAction } from '#contract/moderation.ts';
import type { CommunityDecisionJob } from '#contract/whatsapp.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction } from '#worker/moderation/index.ts';
import { keepNotice } from '#worker/notices/index.ts';
import { keepMessage } from '#worker/whatsapp/index.ts';
import { type DecidableCommunity, decidableCommunityRow, decidedName } from './admin-rules.ts';

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function findDecidable(db: Db, viewer: Viewer, communityId: string) {
  const [[row]] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, decidableCommunityRow)`
      select c.id, c.name, c.approval_status, c.pending_name, u.id as asker_id, u.language as asker_language
      from communities c join users u on u.id = coalesce(c.pending_name_by, c.creator_id) where c.id = ${communityId}`,
  ]);
  return row;
}

export type Decision = {
  community: DecidableCommunity;
  message: CommunityDecisionMessage;
  /** The message over WhatsApp; null if none is sent. */
  job: CommunityDecisionJob | null;
  now: number;
};

/**
 * Approves the community, or its new name, and notifies the person who asked, in one transaction.
 * @returns false when another admin decided first, or the request has changed.
 */
export async function approve(db: Db, viewer: Viewer, decision: Decision): Promise<boolean> {
  const waits = stillWaits(decision);
  const { pending_name: name } = decision.community;
  const [, , , approved] = await publishAsPlatformAdmin(db, viewer, [
    keepDecisionNotice(db, decision),
    keepJob(db, decision),
    log(db, viewer, name === null ? 'approve' : 'approve_name', decision),
    name === null
      ? queryRows(db, idRow)`update communities set approval_status = 1 where ${waits} returning id`
      : queryRows(db, idRow)`
          update communities set name = ${name}, pending_name = null, pending_name_by = null, pending_name_at = null,
            search_text = ${toSearchText([name])} || substr(search_text, instr(search_text, char(10)))
          where ${waits} returning id`,
  ]);
  return approved.length > 0;
}

/**
 * Deletes the pending community with its memberships, or only its new name, stores the reason and notifies the person who
 * asked, in one transaction. There are no posts yet: nobody can post into a pending community.
 * @returns false when another admin decided first, or the request has changed.
 */
export async function reject(db: Db, viewer: Viewer, decision: Decision): Promise<boolean> {
  const { community, message, now } = decision;
  const waits = stillWaits(decision);
  const isName = community.pending_name !== null;
  const [, , , , , rejected] = await publishAsPlatformAdmin(db, viewer, [
    keepDecisionNotice(db, decision),
    keepJob(db, decision),
    log(db, viewer, isName ? 'reject_name' : 'reject', decision),
    db.run(sql`
      insert into community_rejections (id, user_id, name, reason, rejected_at)
      select ${newId()}, ${community.asker_id}, ${decidedName(community)}, ${message.reason}, ${now}
      from communities where ${waits}`),
    db.run(sql`
      delete from memberships where ${!isName} and community_id in (select id from communities where ${waits})`),
    isName
      ? queryRows(db, idRow)`
          update communities set pending_name = null, pending_name_by = null, pending_name_at = null
          where ${waits} returning id`
      : queryRows(db, idRow)`delete from communities where ${waits} returning id`,
  ]);
  return rejected.length > 0;
}

/** Condition on a community: it is still pending, with the name that was read. */
function stillWaits({ community: { id, name, pending_name } }: Decision): SQL {
  return pending_name === null
    ? sql`id = ${id} and approval_status = 0 and name = ${name}`
    : sql`id = ${id} and approval_status = 1 and pending_name = ${pending_name}`;
}

function isDue(decision: Decision): SQL {
  return sql`exists (select 1 from communities where ${stillWaits(decision)})`;
}

function log(db: Db, viewer: Viewer, action: LoggedAction, decision: Decision) {
  const { community, message, now } = decision;
  const event = { actor: viewer, action, targetId: community.id, reason: message.reason };
  return logAction(db, { ...event, targetType: 'community' }, now, isDue(decision));
}

function keepDecisionNotice(db: Db, decision: Decision) {
  const { community, message, now } = decision;
  return keepNotice(db, { message, recipientId: sql`${community.asker_id}`, condition: isDue(decision) }, now);
}

function keepJob(db: Db, decision: Decision) {
  const { job, now } = decision;
  return job === null ? db.run(sql`select 1`) : keepMessage(db, job, isDue(decision), now);
}
