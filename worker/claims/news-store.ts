import { type SQL, sql } from 'drizzle-orm';
import type { Handle, Query, Statement } from '#worker/db/client.ts';
import { listUndelivered, tellOfClaims } from '#worker/notices/index.ts';
import { isOpenClaim } from '#worker/posts/index.ts';

/** Condition on a claim `k`: its decline can no longer be undone, even if the sweep has not recorded it yet. */
export function isDue(now: number): SQL {
  return sql`k.decline_due_at <= ${now}`;
}

/** Statements: pending declines take effect, and the claimants are notified. @param which condition on claims `k`. */
export function finishDeclines(db: Handle, which: SQL, now: number) {
  const isDeclining = sql`(k.decline_due_at is not null and ${which})`;
  return [
    tellOfClaims(db, { type: 'claim_declined', to: 'claimant', which: isDeclining }, now),
    db.run(sql`
      update claim_steps set claimant_at = ${now} where seq in (
        select (select max(s.seq) from claim_steps s where s.claim_id = k.id and s.step = 'decline')
        from claims k where ${isDeclining})`),
    db.run(sql`
      update claims as k set state = 'declined', decline_due_at = null, claimant_updated_at = ${now} where ${isDeclining}`),
  ] as const;
}

/**
 * Statements: close the open claims on posts that are returned, closed or deleted in the same batch, and notify the
 * claimants. Pending declines take effect. The last statement returns the ids of the notices to deliver.
 * @param posts a post's id, or a select of several. @param but condition on claims `k` that stay open.
 */
export function closeClaimsOf(
  db: Handle,
  posts: SQL,
  now: number,
  but = sql`false`,
): readonly [...Statement[], Query<{ id: string }>] {
  const areTheirs = sql`(k.post_id in (${posts}) and not ${but})`;
  const areOpen = sql`(${areTheirs} and ${isOpenClaim('k', now)})`;
  return [
    ...finishDeclines(db, areTheirs, now),
    tellOfClaims(db, { type: 'claim_closed', to: 'claimant', which: areOpen }, now),
    closeAll(db, areOpen, now),
    listUndelivered(db, sql`select k.id from claims k where k.post_id in (${posts})`),
  ];
}

/** Statements: close the open claims between two people without notifying them. */
export function closeClaimsBetween(db: Handle, one: SQL, other: SQL, now: number) {
  return closeSilently(db, sql`(k.finder_id, k.claimant_id) in (values (${one}, ${other}), (${other}, ${one}))`, now);
}

/** Statements: close open claims without notifying anybody. @param which condition on claims `k`. */
export function closeSilently(db: Handle, which: SQL, now: number) {
  return [
    ...finishDeclines(db, sql`${which} and ${isDue(now)}`, now),
    closeAll(db, sql`${which} and ${isOpenClaim('k', now)}`, now),
  ] as const;
}

function closeAll(db: Handle, which: SQL, now: number) {
  return db.run(sql`
    update claims as k set state = 'closed', decline_due_at = null, finder_updated_at = ${now},
      claimant_updated_at = ${now} where ${which}`);
}
