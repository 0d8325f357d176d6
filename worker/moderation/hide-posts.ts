import { type SQL, sql } from 'drizzle-orm';
import type { HiddenBy } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { rememberUnread, reviseUnreadNotices, tellAgain } from '#worker/notices/index.ts';
import { bitsOf, type Hider } from '#worker/posts/index.ts';

/**
 * Statements, for one batch: hides posts, takes them out of what new posts are matched with, and withdraws what nobody
 * has read of them. Hidden once more by the same they stay hidden. The second one answers the ids of the notices that are
 * to be delivered, which withdraws them.
 * @param posts a post's id, or a select of several.
 * @param reason for the author; null leaves the one that is known.
 */
export function hidePosts(db: Db, posts: SQL, by: readonly Hider[], reason: SQL | null = null) {
  const seqs = sql`select h.seq from posts h where h.id in (${posts})`;
  return [
    rememberUnread(db, posts),
    reviseUnreadNotices(db, posts),
    db.run(sql`delete from match_terms where post_seq in (${seqs})`),
    db.run(sql`delete from match_readings where post_seq in (${seqs})`),
    db.run(sql`
      update posts set hidden_by = hidden_by | ${bitsOf(by)}, match_pending_since = null,
        hidden_reason = coalesce(${reason}, hidden_reason)
      where id in (${posts})`),
  ] as const;
}

/**
 * Statements, for one batch: what is named hides the posts no longer. Those that nothing hides any more, and that are
 * still looked for, wait to be matched, and whoever had not read of them is told again. The first one answers the ids of
 * the posts that are to be matched.
 * @param posts a post's id, or a select of several that does not ask what hides them.
 */
export function restorePosts(db: Db, posts: SQL, by: readonly HiddenBy[], now: number) {
  const bits = bitsOf(by);
  return [
    queryRows(db, idRow)`
      update posts set hidden_by = hidden_by & ~${bits},
        match_pending_since = iif(
          (hidden_by & ~${bits}) = 0 and is_found = 0 and away_since is null, ${now}, match_pending_since)
      where id in (${posts}) and (hidden_by & ${bits}) <> 0 returning id`,
    ...tellAgain(db, posts, now),
  ] as const;
}
