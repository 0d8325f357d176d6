import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { adminCommunitySchema } from '#contract/admin.ts';
import type { Approval } from '#contract/communities.ts';
import type { CommunityDecisionJob } from '#contract/jobs.ts';
import { LANGUAGES } from '#contract/language.ts';
import type { CommunityDecisionMessage } from '#contract/live-messages.ts';
import type { LoggedAction } from '#contract/moderation.ts';
import { isAdminOf, isMember } from '#worker/conditions/communities.ts';
import { type Db, publishAsPlatformAdmin } from '#worker/db/client.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import { firstOf, idRow, queryFirst, queryRows, type RowOf, readAsPlatformAdmin } from '#worker/db/statements.ts';
import { communities } from '#worker/db/tables/communities.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { logAction } from '#worker/moderation/moderation-log.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { keepNotice } from '#worker/notices/keep-notice.ts';
import { hideAnyContact } from '#worker/redaction/redact-for.ts';
import { keepMessage, queueKept } from '#worker/whatsapp/queue-message.ts';

/**
 * Approves a pending community, or its new name, and notifies the person who requested it, after the response.
 * @param name the name that the admin has read.
 * @throws AppError wrong_state if another name is pending now, already_decided if another admin decided first.
 */
export async function approveCommunity(
  c: AppContext,
  viewer: Viewer,
  community: DecidableCommunity,
  name: string = decidedName(community),
): Promise<Approval> {
  if (name !== decidedName(community)) throw new AppError('wrong_state');
  const { community_id: id } = await decide(c, viewer, community, null);
  return { id, name, approval_status: 1 };
}

/**
 * Rejects a pending community, or its new name, and notifies the person who requested it, after the response.
 * @throws AppError already_decided.
 */
export async function rejectCommunity(
  c: AppContext,
  viewer: Viewer,
  community: DecidableCommunity,
  reason: string,
): Promise<void> {
  await decide(c, viewer, community, reason);
}

/**
 * @param reason why the request is rejected; null to approve the request.
 * @returns the notice to the person who requested the community or its new name.
 */
async function decide(
  c: AppContext,
  viewer: Viewer,
  community: DecidableCommunity,
  reason: string | null,
): Promise<CommunityDecisionMessage> {
  const { db, config } = c.var;
  const now = Date.now();
  const message = toDecisionMessage(community, reason, { id: newId(), now });
  // The WhatsApp template fits the decision on a community, not the decision on its new name.
  const isSent = config.whatsapp.decisionTemplate !== null && community.pending_name === null;
  const job = isSent ? toDecisionJob(community, message) : null;
  const write = reason === null ? approve : reject;
  if (!(await write(db, viewer, { community, message, job, now }))) throw new AppError('already_decided');
  continueAfterAnswer(c, deliverNotices(c.env, db, [message.id]));
  if (job !== null) continueAfterAnswer(c, queueKept(c.env, db, job));
  return message;
}

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function findDecidable(db: Db, viewer: Viewer, communityId: string) {
  const { row } = await readAsPlatformAdmin(db, viewer, {
    row: queryFirst(db, decidableCommunityRow)`
      select c.id, c.name, c.approval_status, c.pending_name, u.id as asker_id, u.language as asker_language
      from communities c join users u on u.id = coalesce(c.pending_name_by, c.creator_id) where c.id = ${communityId}`,
  });
  return row;
}

type Decision = {
  community: DecidableCommunity;
  message: CommunityDecisionMessage;
  /** The message over WhatsApp; null if none is sent. */
  job: CommunityDecisionJob | null;
  now: number;
};

/**
 * Approves the community, or its new name, and notifies the person who requested it, in one transaction.
 * @returns false if another admin decided first, or the request has changed.
 */
export async function approve(db: Db, viewer: Viewer, decision: Decision): Promise<boolean> {
  const waits = stillWaits(decision);
  const { pending_name: name } = decision.community;
  const { approved } = await publishAsPlatformAdmin(db, viewer, {
    keepDecisionNotice: keepDecisionNotice(db, decision),
    keepJob: keepJob(db, decision),
    logAction: log(db, viewer, name === null ? 'approve' : 'approve_name', decision),
    approved:
      name === null
        ? queryRows(db, idRow)`update communities set approval_status = 1 where ${waits} returning id`
        : queryRows(db, idRow)`
          update communities set name = ${name}, pending_name = null, pending_name_by = null, pending_name_at = null,
            search_text = ${toSearchText([name])} || substr(search_text, instr(search_text, char(10)))
          where ${waits} returning id`,
  });
  return approved.length > 0;
}

/**
 * Deletes the pending community with its memberships, or only its new name, stores the reason, and notifies the person
 * who requested it, in one transaction. There are no posts yet: nobody can post into a pending community.
 * @returns false if another admin decided first, or the request has changed.
 */
export async function reject(db: Db, viewer: Viewer, decision: Decision): Promise<boolean> {
  const { community, message, now } = decision;
  const waits = stillWaits(decision);
  const isName = community.pending_name !== null;
  const { rejected } = await publishAsPlatformAdmin(db, viewer, {
    keepDecisionNotice: keepDecisionNotice(db, decision),
    keepJob: keepJob(db, decision),
    logAction: log(db, viewer, isName ? 'reject_name' : 'reject', decision),
    insertCommunityRejections: db.run(sql`
      insert into community_rejections (id, user_id, name, reason, rejected_at)
      select ${newId()}, ${community.asker_id}, ${decidedName(community)}, ${message.reason}, ${now}
      from communities where ${waits}`),
    deleteMemberships: db.run(sql`
      delete from memberships where ${!isName} and community_id in (select id from communities where ${waits})`),
    rejected: isName
      ? queryRows(db, idRow)`
          update communities set pending_name = null, pending_name_by = null, pending_name_at = null
          where ${waits} returning id`
      : queryRows(db, idRow)`delete from communities where ${waits} returning id`,
  });
  return rejected.length > 0;
}

/** SQL condition: the community, or its new name, is still pending, and the name to decide on has not changed. */
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

/**
 * Makes a member an admin of the community, and its creator if the previous creator is no longer an admin.
 * @returns false if the person is not a member.
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
  const { appointed } = await publishAsPlatformAdmin(db, viewer, {
    logAction: logAction(db, event, Date.now(), sql`${isMember(communityId, userId)} and not ${isAdmin}`),
    appointed: queryRows(db, idRow)`
      update memberships set role = 'admin' where community_id = ${communityId} and user_id = ${userId}
      returning user_id as id`,
    updateCommunities: db.run(sql`
      update communities set creator_id = ${userId}
      where id = ${communityId} and ${isAdmin} and not ${isAdminOf(communityId, sql.raw('communities.creator_id'))}`),
  });
  return appointed.length > 0;
}

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function findCommunity(db: Db, viewer: Viewer, id: string) {
  const { row } = await readAsPlatformAdmin(db, viewer, {
    row: firstOf(db.select({ id: communities.id }).from(communities).where(eq(communities.id, id))),
  });
  return row;
}

/** A community, or its new name, for a platform admin to decide on, and the person to notify of the decision. */
const decidableCommunityRow = () =>
  z.object({
    ...z.pick(adminCommunitySchema, { id: true, name: true, approval_status: true, pending_name: true }).shape,
    asker_id: z.string(),
    asker_language: z.enum(LANGUAGES),
  });
export type DecidableCommunity = RowOf<typeof decidableCommunityRow>;

/** @throws AppError community_not_found (also for a rejected community, which is deleted), or already_decided. */
export function assertPending(row: DecidableCommunity | undefined): DecidableCommunity {
  if (!row) throw new AppError('community_not_found');
  if (row.approval_status === 1 && row.pending_name === null) throw new AppError('already_decided');
  return row;
}

function decidedName({ name, pending_name }: DecidableCommunity): string {
  return pending_name ?? name;
}

/** @param reason why the request was rejected; null if it was approved. */
export function toDecisionMessage(
  community: DecidableCommunity,
  reason: string | null,
  { id, now }: { id: string; now: number },
): CommunityDecisionMessage {
  return {
    type: reason === null ? 'community_approved' : 'community_rejected',
    id,
    community_id: community.id,
    name: decidedName(community),
    ...(community.pending_name !== null && { former_name: community.name }),
    reason,
    created_at: new Date(now).toISOString(),
  };
}

/**
 * Makes the job that sends a decision over WhatsApp, in the language of the person who requested the community. This
 * person chose the name, and we send the name from our number. So contacts and links are removed from the name.
 */
export function toDecisionJob(community: DecidableCommunity, message: CommunityDecisionMessage): CommunityDecisionJob {
  return {
    kind: 'community_decision',
    messageId: message.id,
    recipientId: community.asker_id,
    communityName: withoutContacts(message.name),
    outcome: message.type === 'community_approved' ? 'approved' : 'rejected',
    language: community.asker_language,
  };
}

/**
 * Matches a dot between two words. WhatsApp turns such words into a link, even if the second word is not a domain
 * ending.
 */
const LINKING_DOT = /(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu;
/** Matches five or more digits, which may be a number to call or to pay to. */
const LONG_NUMBER = /\d(?:[^\p{L}\d]{0,2}\d){4,}/gu;

/**
 * Folds a text to one line of plain characters, and hides phone numbers, other long numbers, e-mail addresses and
 * links.
 */
function withoutContacts(text: string): string {
  const folded = text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return hideAnyContact(folded).replace(LONG_NUMBER, '•••').replace(LINKING_DOT, ' ');
}
