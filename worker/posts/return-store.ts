import { type SQL, sql } from 'drizzle-orm';
import type { Outcome } from '#contract/posts.ts';
import type { Handle } from '#worker/db/client.ts';
import { unmatchStatements } from './unmatch-store.ts';

/**
 * Statements: mark a post as returned, if the condition holds, and exclude it from matching. If it already is returned it
 * keeps its first time.
 * @param postId a value or an expression. @param condition on the row of posts. @param outcome as stated by its author.
 */
export function returnStatements(db: Handle, postId: SQL, condition: SQL, now: number, outcome: Outcome = 'returned') {
  const seqs = sql`select seq from posts where id = ${postId} and ${condition}`;
  return [
    ...unmatchStatements(db, seqs),
    db.run(sql`
      update posts set is_found = 1, found_at = iif(is_found, found_at, ${now}), outcome = ${outcome}, away_since = null,
        match_pending_since = null
      where id = ${postId} and ${condition}`),
  ] as const;
}
