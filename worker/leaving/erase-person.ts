import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { ClaimRole } from '#contract/claims.ts';
import { handOverCommunities, leaveCommunities } from '#worker/communities/change-members.ts';
import { isOpenClaim } from '#worker/conditions/claims.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { queryRows, rowOf } from '#worker/db/statements.ts';
import { claims } from '#worker/db/tables/claims.ts';
import { communityRejections, communityRemovals } from '#worker/db/tables/communities.ts';
import { matchTerms } from '#worker/db/tables/matching.ts';
import { blocks, claimReports, moderationLog, postReports } from '#worker/db/tables/moderation.ts';
import {
  emailMessages,
  noticeSettings,
  notices,
  pushSubscriptions,
  whatsappMessages,
  whatsappOutbox,
  whatsappRecipients,
  whatsappWords,
} from '#worker/db/tables/notices.ts';
import { feedback, idempotencyKeys } from '#worker/db/tables/operating.ts';
import {
  devices,
  emailLinks,
  erasures,
  passkeyChallenges,
  passkeys,
  phoneNumbers,
  resetCodes,
  stepUps,
  users,
} from '#worker/db/tables/people.ts';
import { givenNumbers, photos, posts } from '#worker/db/tables/posts.ts';
import { notifyParties } from '#worker/notices/keep-notice.ts';

/** Erases a person from the database, in repeatable steps. */
export async function eraseRows(db: Db, userId: string): Promise<void> {
  while ((await eraseSomeTerms(db, userId)) > 0);
  for (const step of Object.values(planErasure(db, userId))) await batch(db.repeatable, step);
}

const TERMS_AT_ONCE = 1_000;

/**
 * Deletes at most `TERMS_AT_ONCE` match terms of the person's posts, because a post has many.
 * @returns how many were deleted; 0 if none are left.
 */
async function eraseSomeTerms(db: Db, userId: string): Promise<number> {
  const rows = await queryRows(db, rowOf(matchTerms, 'post_seq'))`
    delete from match_terms where rowid in (
      select t.rowid from posts p cross join match_terms t on t.post_seq = p.seq
      where p.author_id = ${userId} limit ${TERMS_AT_ONCE})
    returning post_seq`;
  return rows.length;
}

/**
 * Returns the statements that erase a person, one transaction a step. The order matters: rows that refer to other rows
 * are erased first.
 */
export function planErasure(db: Db, userId: string) {
  const now = Date.now();
  const postIds = sql`(select id from posts where author_id = ${userId})`;
  const postSeqs = sql`(select seq from posts where author_id = ${userId})`;
  const isOwnPair = sql`(lost_post_id in ${postIds}
      or found_post_id in ${postIds})`;
  const number = sql`(select number from phone_numbers where user_id = ${userId})`;
  return {
    matches: {
      terms: db.run(sql`delete from match_terms where post_seq in ${postSeqs}`),
      readings: db.run(sql`delete from match_readings where post_seq in ${postSeqs}`),
      answers: db.run(sql`
        delete from match_answers where pair_id in (select id from match_pairs where ${isOwnPair})`),
      pairs: db.run(sql`delete from match_pairs where ${isOwnPair}`),
    },
    push: {
      deadLetters: db.run(sql`
        delete from push_dead_letters where notice_id in (select id from notices where recipient_id = ${userId})`),
      subscriptions: db.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId)),
    },
    noticeSettings: { settings: db.delete(noticeSettings).where(eq(noticeSettings.userId, userId)) },
    // Notices about the person's posts were retracted from other people's mailboxes before (`retractNotices`).
    notices: {
      own: db.delete(notices).where(eq(notices.recipientId, userId)),
      aboutPosts: db.run(sql`delete from notices where post_id in ${postIds}`),
    },
    // A claim stays for the other party, closed, without the erased person's name, phone number and messages.
    claims: {
      notices: notifyParties(
        db,
        { type: 'claim_closed', to: 'claimant', which: sql`k.finder_id = ${userId} and ${isOpenClaim('k', now)}` },
        now,
      ),
      wordsAsFinder: eraseWords(db, 'finder', userId),
      wordsAsClaimant: eraseWords(db, 'claimant', userId),
      finder: db.run(sql`
        update claims set finder_id = null, post_title = null, question = null, private_marks = null, state = 'closed',
          decline_due_at = null, claimant_updated_at = ${now} where finder_id = ${userId}`),
      claimant: db.run(sql`
        update claims set claimant_id = null, answer = null, phone_number = null, state = 'closed',
          decline_due_at = null, finder_updated_at = ${now} where claimant_id = ${userId}`),
      steps: db.run(sql`
        delete from claim_steps where claim_id in (
          select id from claims where finder_id is null and claimant_id is null)`),
      claims: db.delete(claims).where(and(isNull(claims.finderId), isNull(claims.claimantId))),
    },
    blocks: { ofBoth: db.delete(blocks).where(or(eq(blocks.blockerId, userId), eq(blocks.blockedId, userId))) },
    // Reports that the person made stay, without the reporter's id. Log entries about what the person did as an admin
    // stay, without the admin's id.
    moderation: {
      loggedTarget: db.run(sql`
        update moderation_log set target_id = null
        where target_id = ${userId} or (target_type = 'post' and target_id in ${postIds})`),
      loggedAdmin: db.update(moderationLog).set({ actorId: null }).where(eq(moderationLog.actorId, userId)),
      cases: db.run(sql`
        delete from moderation_cases where post_id in ${postIds}
          or post_id in (select post_id from post_reports where author_id = ${userId})`),
      reportsOnPosts: db.delete(postReports).where(eq(postReports.authorId, userId)),
      postReporter: db.update(postReports).set({ reporterId: null }).where(eq(postReports.reporterId, userId)),
      claimReporter: db.update(claimReports).set({ reporterId: null }).where(eq(claimReports.reporterId, userId)),
    },
    // A database trigger records the deleted photos in `photo_leftovers`. `deleteLeftovers` then deletes the objects of
    // these photos from the bucket.
    photos: { photos: db.delete(photos).where(eq(photos.authorId, userId)) },
    posts: {
      idempotencyKeys: db.delete(idempotencyKeys).where(eq(idempotencyKeys.userId, userId)),
      givenNumbers: db.delete(givenNumbers).where(eq(givenNumbers.readerId, userId)),
      posts: db.delete(posts).where(eq(posts.authorId, userId)),
    },
    communities: {
      memberships: leaveCommunities(db, userId, sql`true`, now),
      created: handOverCommunities(db, userId),
      removals: db.delete(communityRemovals).where(eq(communityRemovals.userId, userId)),
      rejections: db.delete(communityRejections).where(eq(communityRejections.userId, userId)),
    },
    whatsapp: {
      recipients: db.delete(whatsappRecipients).where(eq(whatsappRecipients.number, number)),
      deliveries: db.run(sql`
        delete from whatsapp_deliveries where wamid in (
          select wamid from whatsapp_messages where recipient_id = ${userId})`),
      deadLetters: db.run(sql`
        delete from whatsapp_dead_letters where id in (
          select id from whatsapp_messages where recipient_id = ${userId})`),
      words: db.delete(whatsappWords).where(eq(whatsappWords.userId, userId)),
      outbox: db.delete(whatsappOutbox).where(eq(whatsappOutbox.recipientId, userId)),
      messages: db.delete(whatsappMessages).where(eq(whatsappMessages.recipientId, userId)),
    },
    resetCodes: { codes: db.delete(resetCodes).where(eq(resetCodes.userId, userId)) },
    feedback: { feedback: db.delete(feedback).where(isOwnFeedback(userId)) },
    passkeys: {
      stepUps: db.delete(stepUps).where(eq(stepUps.userId, userId)),
      challenges: db.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId)),
      passkeys: db.delete(passkeys).where(eq(passkeys.userId, userId)),
    },
    devices: { devices: db.delete(devices).where(eq(devices.userId, userId)) },
    numberCodes: {
      codes: db.run(sql`
        delete from number_codes where used_by = ${userId} or subject = ${userId} or number = ${number}`),
      proofs: db.run(sql`delete from number_proofs where used_by = ${userId} or number = ${number}`),
    },
    email: {
      links: db.delete(emailLinks).where(eq(emailLinks.userId, userId)),
      messages: db.delete(emailMessages).where(eq(emailMessages.recipientId, userId)),
    },
    account: {
      phoneNumbers: db.delete(phoneNumbers).where(eq(phoneNumbers.userId, userId)),
      users: db.delete(users).where(eq(users.id, userId)),
    },
    // Deleted last: as long as this row exists, the scheduled sweep continues an interrupted erasure.
    erasure: { erasures: db.delete(erasures).where(eq(erasures.userId, userId)) },
  };
}

function eraseWords(db: Db, role: ClaimRole, userId: string) {
  return db.run(sql`
    update claim_steps set text = null
    where "by" = ${role} and claim_id in (select id from claims where ${sql.raw(`${role}_id`)} = ${userId})`);
}

/**
 * Condition: the feedback was sent with the e-mail address that the person has proven. If the address is unproven, the
 * feedback may be another person's: feedback needs no account, and anybody can register with another person's e-mail
 * address.
 */
export function isOwnFeedback(userId: string): SQL {
  return eq(
    sql`lower(${feedback.email})`,
    sql`(select u.email_key from users u where u.id = ${userId} and u.email_proven_at is not null)`,
  );
}
