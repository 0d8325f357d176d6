import { type SQL, sql } from 'drizzle-orm';
import type { HiddenBy } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { rememberUnread, reviseUnreadNotices } from '#worker/notices/index.ts';
import { bitsOf, type Hider, isOpenEvenHidden, unmatchStatements } from '#worker/posts/index.ts';

/**
 * Statements, for one batch: hide posts, exclude them from matching, and withdraw unread notices about them. Hiding again
 * changes nothing. The second statement returns the ids of the notices to pass to `deliverNotices`.
 * @param posts a post's id, or a select of several.
 * @param reason for the author; null keeps the existing one.
 */
export function hidePosts(db: Db, posts: SQL, by: readonly Hider[], reason: SQL | null = null) {
  const seqs = sql`select h.seq from posts h where h.id in (${posts})`;
  return [
    rememberUnread(db, posts),
    reviseUnreadNotices(db, posts),
    ...unmatchStatements(db, seqs),
    db.run(sql`
      update posts set hidden_by = hidden_by | ${bitsOf(by)}, match_pending_since = null,
        hidden_reason = coalesce(${reason}, hidden_reason)
      where id in (${posts})`),
  ] as const;
}

/**
 * Statement: undoes the hiding of posts by the given ones. Posts that nothing hides any more, and that are open, are to be
 * matched again, which notifies people who had unread notices about them. It returns the ids of the posts to match.
 * @param posts a post's id, or a select of several.
 */
export function restorePosts(db: Db, posts: SQL, by: readonly HiddenBy[], now: number) {
  const bits = bitsOf(by);
  return queryRows(db, idRow)`
    update posts set hidden_by = hidden_by & ~${bits},
      match_pending_since = iif(
        (hidden_by & ~${bits}) = 0 and ${isOpenEvenHidden('posts')}, ${now}, match_pending_since)
    where id in (${posts}) and (hidden_by & ${bits}) <> 0 returning id`;
}
