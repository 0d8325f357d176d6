import { type SQL, sql } from 'drizzle-orm';
import type { HiddenBy } from '#contract/posts.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { rememberUnread, reviseUnreadNotices, tellOfClaims } from '#worker/notices/index.ts';
import { bitsOf, type Hider, isOpenClaim, isOpenEvenHidden, unmatchStatements } from '#worker/posts/index.ts';

/**
 * Statements, for one batch: hide posts, exclude them from matching, notify the claimants that their claims are paused,
 * and withdraw unread notices about the posts. Hiding again changes nothing. The first and the third statement return the
 * ids of the notices to pass to `deliverNotices`.
 * @param posts a post's id, or a select of several.
 * @param reason for the author; null keeps the existing one.
 */
export function hidePosts(db: Db, posts: SQL, by: readonly Hider[], now: number, reason: SQL | null = null) {
  const seqs = sql`select h.seq from posts h where h.id in (${posts})`;
  return [
    tellOfClaims(db, { type: 'claim_paused', to: 'claimant', which: arePausedBy(posts, by, now) }, now),
    rememberUnread(db, posts),
    reviseUnreadNotices(db, posts),
    ...unmatchStatements(db, seqs),
    db.run(sql`
      update posts set hidden_by = hidden_by | ${bitsOf(by)}, match_pending_since = null,
        hidden_reason = coalesce(${reason}, hidden_reason)
      where id in (${posts})`),
  ] as const;
}

/** Condition on claims `k`: this hiding pauses them. Closing an account closes its claims instead. */
function arePausedBy(posts: SQL, by: readonly Hider[], now: number): SQL {
  if (by.every((hider) => hider === 'closed_account')) return sql`false`;
  return sql`(k.post_id in (select h.id from posts h where h.id in (${posts}) and h.hidden_by = 0)
    and ${isOpenClaim('k', now)})`;
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
