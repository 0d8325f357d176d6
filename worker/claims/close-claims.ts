import { type SQL, sql } from 'drizzle-orm';
import { isDue, isOpenClaim } from '#worker/conditions/claims.ts';
import { batch, type Db, type Handle } from '#worker/db/client.ts';
import { idRow, idsOf, queryRows } from '#worker/db/statements.ts';
import type { Env } from '#worker/env.ts';
import { deliverNotices, listUndelivered } from '#worker/notices/deliver-notices.ts';
import { notifyParties } from '#worker/notices/keep-notice.ts';

/** Statements: make pending declines final, and notify the claimants. @param which condition on claims `k`. */
export function finishDeclines(db: Handle, which: SQL, now: number) {
  const isDeclining = sql`(k.decline_due_at is not null and ${which})`;
  return {
    notified: notifyParties(db, { type: 'claim_declined', to: 'claimant', which: isDeclining }, now),
    updateClaimSteps: db.run(sql`
      update claim_steps set claimant_at = ${now} where seq in (
        select (select max(s.seq) from claim_steps s where s.claim_id = k.id and s.step = 'decline')
        from claims k where ${isDeclining})`),
    updateClaims: db.run(sql`
      update claims as k set state = 'declined', decline_due_at = null, claimant_updated_at = ${now} where ${isDeclining}`),
  };
}

/**
 * Statements: close the open claims on posts that are returned, closed or deleted in the same batch, and notify the
 * claimants. Pending declines become final. `undelivered` returns the ids of the notices to deliver.
 * @param posts a post's id, or a select of several.
 */
export function closeClaimsOf(db: Handle, posts: SQL, now: number) {
  const areTheirs = sql`k.post_id in (${posts})`;
  const areOpen = sql`(${areTheirs} and ${isOpenClaim('k', now)})`;
  return {
    declines: finishDeclines(db, areTheirs, now),
    notified: notifyParties(db, { type: 'claim_closed', to: 'claimant', which: areOpen }, now),
    closed: closeAll(db, areOpen, now),
    undelivered: listUndelivered(db, sql`select k.id from claims k where k.post_id in (${posts})`),
  };
}

/** Statements: close the open claims between two people without notifying them. */
export function closeClaimsBetween(db: Handle, one: SQL, other: SQL, now: number) {
  return closeSilently(db, sql`(k.finder_id, k.claimant_id) in (values (${one}, ${other}), (${other}, ${one}))`, now);
}

/**
 * Statements: close open claims without a notice. Declines that can no longer be undone become final instead, and their
 * claimants are notified.
 * @param which condition on claims `k`.
 */
export function closeSilently(db: Handle, which: SQL, now: number) {
  return {
    declines: finishDeclines(db, sql`${which} and ${isDue(now)}`, now),
    closed: closeAll(db, sql`${which} and ${isOpenClaim('k', now)}`, now),
  };
}

function closeAll(db: Handle, which: SQL, now: number) {
  return db.run(sql`
    update claims as k set state = 'closed', decline_due_at = null, finder_updated_at = ${now},
      claimant_updated_at = ${now} where ${which}`);
}

const CLAIMS_AT_ONCE = 100;
const ROUNDS_MAX = 10;

/** Makes final the declines that can no longer be undone. Runs every minute, as a step of worker/sweep.ts. */
export async function finishDueDeclines(env: Env, db: Db, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await queryRows(db, idRow)`
      select k.id from claims k where ${isDue(now)} order by k.decline_due_at limit ${CLAIMS_AT_ONCE}`;
    if (due.length === 0) return;
    const ids = JSON.stringify(idsOf(due));
    const which = sql`k.id in (select value from json_each(${ids})) and ${isDue(now)}`;
    const { notified } = await batch(db.repeatable, finishDeclines(db, which, now));
    await deliverNotices(env, db, idsOf(notified));
    if (due.length < CLAIMS_AT_ONCE) return;
  }
}
