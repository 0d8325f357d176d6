import { type SQL, sql } from 'drizzle-orm';
import { FOUND_UNDO_SECONDS } from '#contract/limits.ts';
import { type Outcome, RETURNING_OUTCOMES } from '#contract/posts.ts';
import { type Db, publishAs, type Query, type Statement } from '#worker/db/client.ts';
import { idsOf } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { isHandedOver } from './claimed.ts';
import { returnStatements } from './return-store.ts';
import { type ClosedClaims, selectPost, toldOf } from './store.ts';
import { unmatchStatements } from './unmatch-store.ts';

/** Statements that accompany a post's end in the same batch. */
type WhatEnds = {
  /** Remembers whose unread notices about the post are withdrawn. */
  remember: Statement;
  /** Then withdraws them. */
  withdraw: Query<{ id: string }>;
  claims: ClosedClaims;
};

/** A post of the viewer's, and its outcome. */
export type Ending = { id: string; outcome: Outcome; now: number };

/**
 * Ends the post, and excludes it from matching. A returned post stays returned, with its first time; a closed one can be
 * reopened.
 * @returns the post, and the ids of the notices to deliver or withdraw.
 */
export async function endPost(
  db: Db,
  viewer: Viewer,
  { id, outcome, now }: Ending,
  { remember, withdraw, claims }: WhatEnds,
) {
  const isOwn = sql`author_id = ${viewer.userId}`;
  const end = isReturning(outcome) ? returnStatements : closeStatements;
  const [, , , , withdrawn, [row], ...closed] = await publishAs(db.repeatable, viewer, [
    ...end(db, sql`${id}`, isOwn, now, outcome),
    remember,
    withdraw,
    selectPost(db, viewer, id),
    ...claims,
  ]);
  return { row, noticeIds: idsOf([...withdrawn, ...toldOf(closed)]) };
}

export function isReturning(outcome: Outcome): boolean {
  return (RETURNING_OUTCOMES as readonly Outcome[]).includes(outcome);
}

/** Statements, as `returnStatements`: from now on only its author sees the post, unless it is returned. */
function closeStatements(db: Db, postId: SQL, condition: SQL, now: number, outcome: Outcome) {
  const seqs = sql`select seq from posts where id = ${postId} and ${condition}`;
  return [
    ...unmatchStatements(db, seqs),
    db.run(sql`
      update posts set away_since = iif(outcome is null, ${now}, away_since), outcome = ${outcome}, match_pending_since = null
      where id = ${postId} and ${condition} and is_found = 0`),
  ] as const;
}

/**
 * Reopens the post if it was marked as found a short while ago. It is to be matched again, which notifies people whose
 * unread notices were withdrawn.
 * @returns the post, which is still found if it was too late or the thing was handed over.
 */
export async function undoFound(db: Db, viewer: Viewer, id: string, now: number) {
  const [, [row]] = await publishAs(db, viewer, [
    db.run(sql`
      update posts set is_found = 0, found_at = null, outcome = null,
        match_pending_since = iif(hidden_by, null, ${now})
      where id = ${id} and author_id = ${viewer.userId} and is_found = 1
        and found_at >= ${now - FOUND_UNDO_SECONDS * 1000} and not ${isHandedOver(sql.raw('posts.id'))}`),
    selectPost(db, viewer, id),
  ]);
  return row;
}

/**
 * Restarts the time after which the post rests. A resting or closed post is to be matched again, which notifies people
 * whose unread notices were withdrawn.
 * @param revise the statement that withdraws the question whether the author is still looking.
 * @returns the post, unchanged if it is returned or hidden, and the ids of the notices to deliver.
 */
export async function wakePost(
  db: Db,
  viewer: Viewer,
  { id, revise }: { id: string; revise: Query<{ id: string }> },
  now: number,
) {
  const [, [row], revised] = await publishAs(db, viewer, [
    db.run(sql`
      update posts set away_since = null, outcome = null, renewed_at = ${now}, times_asked = 0,
        match_pending_since = iif(away_since is null, match_pending_since, ${now})
      where id = ${id} and author_id = ${viewer.userId} and is_found = 0 and hidden_by = 0`),
    selectPost(db, viewer, id),
    revise,
  ]);
  return { row, noticeIds: idsOf(revised) };
}
