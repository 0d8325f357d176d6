import { type SQL, sql } from 'drizzle-orm';
import type { Db, Handle, Query, Statement } from '#worker/db/client.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { deletePhotosOf } from '#worker/photos/index.ts';
import { unmatchStatements } from './unmatch-store.ts';
import { arePaused } from './visibility.ts';

/** Fewer than for other tables, as each post has terms, pairs and notices. */
const POSTS_AT_ONCE = 100;

/** Statement: withdraws the notices about these posts. */
export type WithdrawNotices = (db: Db, postIds: SQL) => Query<{ id: string }>;

/** Statements: decide what is undecided about these posts. */
export type EndCases = (db: Handle, postIds: SQL, now: number) => readonly Statement[];

/**
 * Statements, in this order: delete posts with everything that depends on them. Notices are withdrawn and cases ended
 * before, in the same batch.
 * @param ids selects the posts.
 */
export function deleteStatements(db: Handle, ids: SQL) {
  const seqs = sql`select seq from posts where id in (${ids})`;
  const pairs = sql`lost_post_id in (${ids}) or found_post_id in (${ids})`;
  return [
    ...unmatchStatements(db, seqs),
    db.run(sql`delete from match_answers where pair_id in (select id from match_pairs where ${pairs})`),
    db.run(sql`delete from match_pairs where ${pairs}`),
    forgetPausedNumbers(db, ids),
    deletePhotosOf(db, ids),
    db.run(sql`delete from posts where id in (${ids})`),
  ] as const;
}

/** Statement: after a hand-over a hidden post keeps the claimants' numbers from its author, so it must not reveal them now. */
function forgetPausedNumbers(db: Handle, ids: SQL) {
  return db.run(sql`
    update claims set phone_number = null where state = 'handed_over' and post_id in (
      select p.id from posts p where p.id in (${ids}) and ${arePaused('p')})`);
}

/** Statements: delete posts that were marked as found long ago. */
export function clearFound(
  db: Db,
  { withdraw, endCases }: { withdraw: WithdrawNotices; endCases: EndCases },
  now: number,
): readonly Statement[] {
  const old = sql`
    select id from posts where found_at < ${now - KEPT_MS.foundPost} and is_found = 1
    order by found_at limit ${POSTS_AT_ONCE}`;
  return [withdraw(db, old), ...endCases(db, old, now), ...deleteStatements(db, old)];
}
