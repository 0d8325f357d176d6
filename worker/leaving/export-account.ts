import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Export } from '#contract/accounts.ts';
import { isShownTo } from '#worker/conditions/posts.ts';
import type { Db } from '#worker/db/client.ts';
import {
  emailMessages,
  notices,
  pushSubscriptions,
  whatsappMessages,
  whatsappOutbox,
  whatsappWords,
} from '#worker/db/tables/notices.ts';
import { feedback } from '#worker/db/tables/operating.ts';
import { devices, emailLinks, phoneNumbers, users } from '#worker/db/tables/people.ts';
import { posts } from '#worker/db/tables/posts.ts';
import { selectSettings, toSettings } from '#worker/notices/settings.ts';
import { redactFor } from '#worker/redaction/redact-for.ts';
import { isOwnFeedback } from './erase-person.ts';
import {
  exportBlocks,
  exportClaimReports,
  exportClaims,
  exportCommunities,
  exportCommunityNames,
  exportDecisions,
  exportGivenNumbers,
  exportJoinRequests,
  exportMatchAnswers,
  exportPhotos,
  exportPosts,
  exportRejections,
  exportRemovals,
  exportReports,
} from './export-things.ts';

/**
 * The parts of a person's data export, each with the function that reads its data. The parts contain no secrets: no
 * hashes, codes or keys.
 */
const PARTS: { [Key in keyof Export]: (db: Db, userId: string) => PromiseLike<unknown> } = {
  me: exportAccount,
  devices: exportDevices,
  posts: exportPosts,
  photos: exportPhotos,
  communities: exportCommunities,
  claims: exportClaims,
  notices: exportNotices,
  reports: exportReports,
  blocks: exportBlocks,
  settings: exportSettings,
  push: exportPush,
  match_answers: exportMatchAnswers,
  claim_reports: exportClaimReports,
  decisions: exportDecisions,
  numbers_given: exportGivenNumbers,
  community_names: exportCommunityNames,
  join_requests: exportJoinRequests,
  community_removals: exportRemovals,
  community_rejections: exportRejections,
  whatsapp_messages: exportWhatsappMessages,
  whatsapp_messages_waiting: exportWhatsappOutbox,
  whatsapp_stop_or_start: exportWhatsappWords,
  feedback: exportFeedback,
  emails: exportEmails,
  emails_to_confirm: exportEmailLinks,
};

/** Returns all stored data of the person. */
export async function exportPerson(db: Db, userId: string): Promise<Export> {
  const read = Object.entries(PARTS).map(async ([key, part]) => [key, await part(db, userId)] as const);
  return withDates(Object.fromEntries(await Promise.all(read))) as Export;
}

/** Replaces times in milliseconds by ISO dates. */
export function withDates(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withDates(one));
  if (typeof value === 'number' && /_(at|until)$/.test(name)) return new Date(value).toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withDates(one, key)]));
}

async function exportAccount(db: Db, userId: string) {
  const [me] = await db
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      email_proven_at: users.emailProvenAt,
      whatsapp_number: phoneNumbers.number,
      number_proven_at: phoneNumbers.provenAt,
      language: users.language,
      is_platform_admin: users.isPlatformAdmin,
      became_platform_admin_at: users.platformAdminSince,
      suspended_at: users.suspendedAt,
      suspension_reason: users.suspensionReason,
      created_at: users.createdAt,
    })
    .from(users)
    .leftJoin(phoneNumbers, eq(phoneNumbers.userId, users.id))
    .where(eq(users.id, userId));
  return me ?? {};
}

function exportDevices(db: Db, userId: string) {
  return db
    .select({ name: devices.name, created_at: devices.createdAt, last_seen_at: devices.lastSeenAt })
    .from(devices)
    .where(and(eq(devices.userId, userId), isNull(devices.endedAt)))
    .orderBy(devices.createdAt);
}

function exportEmails(db: Db, userId: string) {
  return db
    .select({ kind: emailMessages.kind, status: emailMessages.status, created_at: emailMessages.createdAt })
    .from(emailMessages)
    .where(eq(emailMessages.recipientId, userId));
}

function exportEmailLinks(db: Db, userId: string) {
  return db
    .select({ email: emailLinks.email, created_at: emailLinks.createdAt })
    .from(emailLinks)
    .where(eq(emailLinks.userId, userId));
}

/** Exports only a subscription's push service and date: its endpoint and keys are secret. */
async function exportPush(db: Db, userId: string) {
  const rows = await db
    .select({ endpoint: pushSubscriptions.endpoint, put_at: pushSubscriptions.putAt })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId));
  return rows.map(({ endpoint, put_at }) => ({ service: new URL(endpoint).hostname, put_at }));
}

async function exportSettings(db: Db, userId: string) {
  return toSettings(await selectSettings(db, userId));
}

function exportWhatsappMessages(db: Db, userId: string) {
  return db
    .select({
      kind: whatsappMessages.kind,
      language: whatsappMessages.language,
      status: whatsappMessages.status,
      created_at: whatsappMessages.createdAt,
    })
    .from(whatsappMessages)
    .where(eq(whatsappMessages.recipientId, userId));
}

function exportWhatsappOutbox(db: Db, userId: string) {
  return db
    .select({ message: whatsappOutbox.job, created_at: whatsappOutbox.createdAt })
    .from(whatsappOutbox)
    .where(eq(whatsappOutbox.recipientId, userId));
}

function exportWhatsappWords(db: Db, userId: string) {
  return db
    .select({ is_on: whatsappWords.isOn, sent_at: whatsappWords.sentAt })
    .from(whatsappWords)
    .where(eq(whatsappWords.userId, userId));
}

function exportFeedback(db: Db, userId: string) {
  const { message, createdAt, seq } = feedback;
  const own = db.select({ message, created_at: createdAt }).from(feedback).where(isOwnFeedback(userId));
  return own.orderBy(seq);
}

const otherPost = alias(posts, 'p');

/** Exports the notices. Like the list of notices, omits a match's other post if the person may not see the post. */
async function exportNotices(db: Db, userId: string) {
  const rows = await db
    .select({
      type: notices.type,
      post_id: otherPost.id,
      title: otherPost.title,
      kind: otherPost.kind,
      your_post_id: notices.yourPostId,
      body: notices.body,
      created_at: notices.createdAt,
      acknowledged_at: notices.acknowledgedAt,
      pushed_at: notices.pushedAt,
      whatsapp_at: notices.whatsappAt,
      emailed_at: notices.emailedAt,
      read_at: notices.readAt,
      dismissed_at: notices.dismissedAt,
    })
    .from(notices)
    .leftJoin(otherPost, and(eq(otherPost.id, notices.postId), isShownTo('p', sql`${notices.recipientId}`)))
    .where(eq(notices.recipientId, userId))
    .orderBy(notices.createdAt);
  return rows.map(({ kind, title, ...row }) => ({ ...row, title: title && redactFor('signed_in', kind)(title) }));
}
