import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/durations.ts';
import {
  DECISION_LIFETIME_DAYS,
  DEVICE_UNUSED_DAYS,
  JOIN_REQUEST_AGAIN_DAYS,
  JOIN_REQUEST_LIFETIME_DAYS,
  REMOVAL_DAYS,
  SESSION_LIFETIME_DAYS,
} from '#contract/limits.ts';
import { endDevices } from '#worker/accounts/devices.ts';
import { isOpenClaim } from '#worker/conditions/claims.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/statements.ts';
import { communityRejections, communityRemovals, joinRequests } from '#worker/db/tables/communities.ts';
import { claimReports, moderationCases, moderationLog, postReports } from '#worker/db/tables/moderation.ts';
import {
  emailMessages,
  notices,
  pushDeadLetters,
  whatsappDeadLetters,
  whatsappDeliveries,
  whatsappIncoming,
  whatsappMessages,
  whatsappOutbox,
} from '#worker/db/tables/notices.ts';
import { databaseExports, feedback } from '#worker/db/tables/operating.ts';
import {
  devices,
  emailLinks,
  numberCodes,
  numberProofs,
  passkeyChallenges,
  resetCodes,
  stepUps,
} from '#worker/db/tables/people.ts';
import { givenNumbers } from '#worker/db/tables/posts.ts';
import { LINK_LIFETIME_MS } from '#worker/email/prove-email.ts';
import { EXPORT_KEPT_MS } from '#worker/exports/write-export.ts';
import { clearExpiredKeys } from '#worker/http/idempotency.ts';
import { clearEndedWindows } from '#worker/limits/allowance.ts';
import { clearEndedBars } from '#worker/limits/bars.ts';
import { deletePosts } from '#worker/posts/post-states.ts';
import { clearRecipients } from '#worker/whatsapp/recipients.ts';

const YEAR_MS = 365 * DAY_MS;

/**
 * How long rows are stored after they are no longer needed. The page /privacy promises these periods, so do not make
 * them longer. Periods that the app shows elsewhere are in contract/limits.ts.
 */
export const KEPT_MS = {
  /** An ended claim is stored for this long after its last change. */
  claim: YEAR_MS,
  feedback: YEAR_MS,
  /** A notice is stored for this long after its creation, and longer while it is undelivered. */
  notice: YEAR_MS,
  /** A post is stored for this long after it was first marked as found. */
  foundPost: YEAR_MS,
  /**
   * A verification code, a reset code or the proof of a phone number expires within minutes. It is stored for another
   * day, so that the Worker can answer that it has expired.
   */
  code: DAY_MS,
  /** A message that no queue has accepted for this long is outdated. */
  outbox: DAY_MS,
  /**
   * A WhatsApp message is stored for this long, because Meta may report on our message, or redeliver a message to us,
   * for a week.
   */
  delivery: 8 * DAY_MS,
} as const;

/**
 * How many rows are deleted at once. The numbers for claims and posts are low, because each claim or post has rows in
 * other tables, such as the steps of a claim.
 */
const CLAIMS_AT_ONCE = 100;
const FOUND_POSTS_AT_ONCE = 100;
const DEVICES_AT_ONCE = 1_000;

/** Deletes a limited number of expired rows of every table, in one transaction. */
export async function clearExpired(db: Db, now: number): Promise<void> {
  await batch(db, planDeletions(db, now));
}

/**
 * Returns the statements that delete expired rows, in the order in which they run. Each deletes a limited number of
 * rows, so that it does not block requests.
 */
export function planDeletions(db: Db, now: number) {
  const daysAgo = (days: number) => now - days * DAY_MS;
  const endedClaims = sql`
    select id from claims
    where created_at < ${now - KEPT_MS.claim} and finder_updated_at < ${now - KEPT_MS.claim}
      and claimant_updated_at < ${now - KEPT_MS.claim} and not ${isOpenClaim('claims', now)}
    order by created_at limit ${CLAIMS_AT_ONCE}`;
  const unusedDevices = sql`
    select id from devices where last_seen_at < ${daysAgo(DEVICE_UNUSED_DAYS)} and ended_at is null
    limit ${DEVICES_AT_ONCE}`;
  const foundPosts = sql`
    select id from posts where found_at < ${now - KEPT_MS.foundPost} and is_found = 1
    order by found_at limit ${FOUND_POSTS_AT_ONCE}`;
  const isOfOldDecision = sql`created_at < ${daysAgo(DECISION_LIFETIME_DAYS)}`;
  return {
    counters: clearEndedWindows(db, now),
    bars: clearEndedBars(db, now),
    idempotencyKeys: clearExpiredKeys(db, now),
    claims: {
      steps: db.run(sql`delete from claim_steps where claim_id in (${endedClaims})`),
      claims: db.run(sql`delete from claims where id in (${endedClaims})`),
    },
    communities: {
      removals: deleteSome(db, communityRemovals, sql`removed_at < ${daysAgo(REMOVAL_DAYS)}`),
      declinedRequests: deleteSome(
        db,
        joinRequests,
        sql`declined_at is not null and declined_at < ${daysAgo(JOIN_REQUEST_AGAIN_DAYS)}`,
      ),
      unansweredRequests: deleteSome(db, joinRequests, sql`created_at < ${daysAgo(JOIN_REQUEST_LIFETIME_DAYS)}`),
      rejections: deleteSome(db, communityRejections, sql`rejected_at < ${daysAgo(DECISION_LIFETIME_DAYS)}`),
    },
    // A device that was signed out is stored until all of its tokens have expired.
    devices: {
      endUnused: endDevices(db, sql`id in (${unusedDevices})`, now),
      ended: deleteSome(db, devices, sql`ended_at < ${daysAgo(SESSION_LIFETIME_DAYS)} and closed_at is not null`),
    },
    email: {
      links: deleteSome(db, emailLinks, sql`created_at <= ${now - LINK_LIFETIME_MS}`),
      messages: deleteSome(db, emailMessages, sql`created_at < ${now - KEPT_MS.delivery}`),
    },
    exports: deleteSome(db, databaseExports, sql`begun_at < ${now - EXPORT_KEPT_MS}`),
    feedback: deleteSome(db, feedback, sql`created_at < ${now - KEPT_MS.feedback}`),
    // Reports of open cases, and decisions on posts that still exist, are not deleted.
    moderation: {
      log: deleteSome(db, moderationLog, isOfOldDecision),
      postReports: deleteSome(
        db,
        postReports,
        sql`${isOfOldDecision} and not exists (
        select 1 from moderation_cases w where w.post_id = post_reports.post_id and w.status = 'open')`,
      ),
      claimReports: deleteSome(
        db,
        claimReports,
        sql`${isOfOldDecision} and not exists (
        select 1 from moderation_cases w where w.post_id = claim_reports.post_id and w.status = 'open')`,
      ),
      cases: deleteSome(
        db,
        moderationCases,
        sql`status = 'decided' and since < ${daysAgo(DECISION_LIFETIME_DAYS)} and not exists (
        select 1 from posts w where w.id = moderation_cases.post_id)`,
      ),
    },
    // A match still stores the id of its deleted notice, so that nobody is notified of the match again.
    notices: deleteSome(db, notices, sql`created_at < ${now - KEPT_MS.notice} and delivered_at is not null`),
    numbers: {
      codes: deleteSome(db, numberCodes, sql`issued_at < ${now - KEPT_MS.code}`),
      proofs: deleteSome(db, numberProofs, sql`created_at < ${now - KEPT_MS.code}`),
      incoming: deleteSome(db, whatsappIncoming, sql`received_at < ${now - KEPT_MS.delivery}`),
    },
    passkeys: {
      challenges: deleteSome(db, passkeyChallenges, sql`expires_at <= ${now}`),
      stepUps: deleteSome(db, stepUps, sql`expires_at <= ${now}`),
    },
    foundPosts: deletePosts(db, foundPosts, now),
    givenNumbers: deleteSome(db, givenNumbers, sql`day_ends_at <= ${now}`),
    push: deleteSome(db, pushDeadLetters, sql`recorded_at < ${now - KEPT_MS.delivery}`),
    resetCodes: deleteSome(
      db,
      resetCodes,
      sql`issued_at < ${now - KEPT_MS.code} and coalesce(next_issued_at, 0) < ${now - KEPT_MS.code}`,
    ),
    whatsapp: {
      recipients: clearRecipients(db, now),
      outbox: deleteSome(db, whatsappOutbox, sql`created_at < ${now - KEPT_MS.outbox}`),
      messages: deleteSome(db, whatsappMessages, sql`created_at < ${now - KEPT_MS.delivery}`),
      deliveries: deleteSome(db, whatsappDeliveries, sql`reported_at < ${now - KEPT_MS.delivery}`),
      deadLetters: deleteSome(db, whatsappDeadLetters, sql`recorded_at < ${now - KEPT_MS.delivery}`),
    },
  };
}
