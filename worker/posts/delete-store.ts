import { type SQL, sql } from 'drizzle-orm';
import type { Db, Handle, Query } from '#worker/db/client.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { deletePhotosOf } from '#worker/photos/index.ts';

/** Each has terms, pairs and notices, so that they are fewer than rows that stand alone. */
const POSTS_AT_ONCE = 100;

/** Statement: the notices of these posts are to be taken back from the mailboxes. */
export type WithdrawNotices = (db: Db, postIds: SQL) => Query<{ id: string }>;

/**
 * Statements, in this order: delete posts with what hangs on them. What has another end, such as their notices, comes
 * before them in the same batch.
 * @param ids selects the posts.
 */
export function deleteStatements(db: Handle, ids: SQL) {
  const seqs = sql`select seq from posts where id in (${ids})`;
  const pairs = sql`lost_post_id in (${ids}) or found_post_id in (${ids})`;
  return [
    db.run(sql`delete from match_terms where post_seq in (${seqs})`),
    db.run(sql`delete from match_readings where post_seq in (${seqs})`),
    db.run(sql`delete from match_answers where pair_id in (select id from match_pairs where ${pairs})`),
    db.run(sql`delete from match_pairs where ${pairs}`),
    db.run(sql`delete from moderation_cases where post_id in (${ids})`),
    deletePhotosOf(db, ids),
    db.run(sql`delete from posts where id in (${ids})`),
  ] as const;
}

/** Statements: delete the posts that were marked as found long ago, as their authors would. */
export function clearFound(db: Db, withdraw: WithdrawNotices, now: number) {
  const old = sql`
    select id from posts where found_at < ${now - KEPT_MS.foundPost} and is_found = 1
    order by found_at limit ${POSTS_AT_ONCE}`;
  return [withdraw(db, old), ...deleteStatements(db, old)] as const;
}
