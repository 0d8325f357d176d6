import { type SQL, sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/durations.ts';
import { REPORT_OVERDUE_HOURS } from '#contract/limits.ts';
import type { Decision } from '#contract/moderation.ts';
import { bitsOf } from '#worker/conditions/posts.ts';
import { batch, type Db, type Handle } from '#worker/db/client.ts';
import { idRow, idsOf, queryFirst, queryRows } from '#worker/db/statements.ts';
import type { Env } from '#worker/env.ts';
import { newId } from '#worker/identity/digests.ts';
import { isActingAdmin } from '#worker/identity/viewer.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { notifyAdminsOfCases } from '#worker/notices/keep-notice.ts';

/** Condition: the post has an open case. */
export function isWaiting(postId: string): SQL {
  return sql`exists (select 1 from moderation_cases w where w.post_id = ${postId} and w.status = 'open')`;
}

/** Condition: an admin has decided that the post may stay. */
export function isCleared(postId: string): SQL {
  return sql`exists (select 1 from moderation_cases w where w.post_id = ${postId} and w.is_cleared)`;
}

/** Statement: opens a case for the post, if the condition holds. An open case keeps its place in the queue. */
export function openCase(db: Db, postId: string, condition: SQL, now: number) {
  return db.run(openWhere(postId, { isEdited: 0, condition }, now));
}

type Edit = {
  postId: string;
  authorId: string;
  now: number;
  /** The case is reopened only if this condition holds, for example that the author's photo was stored. */
  condition?: SQL;
};

/** Statement: reopens the case of a post that its author has edited, if the post is hidden because of its content. */
export function reopenEdited(db: Db, { postId, authorId, now, condition = sql`true` }: Edit) {
  const bits = bitsOf(['reports', 'community', 'admin']);
  const isHidden = sql`exists (
    select 1 from posts e where e.id = ${postId} and e.author_id = ${authorId} and (e.hidden_by & ${bits}) <> 0)`;
  return db.run(openWhere(postId, { isEdited: 1, condition: sql`${isHidden} and ${condition}` }, now));
}

function openWhere(postId: string, { isEdited, condition }: { isEdited: 0 | 1; condition: SQL }, now: number): SQL {
  return sql`
    insert into moderation_cases (id, post_id, status, since, is_edited, tell_due_at)
    select ${newId()}, ${postId}, 'open', ${now}, ${isEdited}, ${now} where ${condition}
    on conflict (post_id) do update set
      since = iif(status = 'open', since, excluded.since),
      tell_due_at = iif(status = 'open', tell_due_at, excluded.tell_due_at),
      times_told = iif(status = 'open', times_told, 0),
      is_edited = max(is_edited, excluded.is_edited), status = 'open', decision = null`;
}

type Verdict = { postId: string; decision: Decision; condition: SQL };

/**
 * Statements: record the decision, together with the previous state of the case and of the post's hiding, and close the
 * reports.
 */
export function closeCase(db: Db, { postId, decision, condition }: Verdict, now: number) {
  const clears = decision === 'restored' ? 1 : 0;
  return {
    upsertCase: db.run(sql`
      insert into moderation_cases (id, post_id, status, since, decision, is_cleared, hidden_by_before,
        hidden_reason_before, tell_due_at)
      select ${newId()}, p.id, 'decided', ${now}, ${decision}, ${clears}, p.hidden_by, p.hidden_reason, ${now}
      from posts p where p.id = ${postId} and ${condition}
      on conflict (post_id) do update set
        waiting_since_before = iif(status = 'open', since, null), is_cleared_before = is_cleared,
        is_edited_before = is_edited, is_edited = 0, status = 'decided', since = excluded.since,
        decision = excluded.decision, is_cleared = max(is_cleared, excluded.is_cleared),
        hidden_by_before = excluded.hidden_by_before, hidden_reason_before = excluded.hidden_reason_before`),
    closePostReports: db.run(
      sql`update post_reports set closed_at = ${now} where post_id = ${postId} and closed_at is null`,
    ),
    closeClaimReports: db.run(
      sql`update claim_reports set closed_at = ${now} where post_id = ${postId} and closed_at is null`,
    ),
  };
}

/**
 * Statements for posts that will be deleted: decide their open cases as `post_deleted`, close the reports, and delete
 * the cases that admins have decided.
 * @param posts selects the posts.
 */
export function endCases(db: Handle, posts: SQL, now: number) {
  const isEnding = sql`(w.post_id in (${posts}) and w.status = 'open')`;
  return {
    deleteDecided: db.run(sql`delete from moderation_cases where post_id in (${posts}) and status = 'decided'`),
    logDeletions: db.run(sql`
      insert into moderation_log (id, actor_id, action, target_type, target_id, reason, created_at)
      select lower(hex(randomblob(16))), null, 'post_deleted', 'post', w.post_id, null, ${now}
      from moderation_cases w where ${isEnding}`),
    updateCases: db.run(sql`
      update moderation_cases as w set status = 'decided', decision = 'post_deleted', since = ${now} where ${isEnding}`),
    closePostReports: db.run(
      sql`update post_reports set closed_at = ${now} where post_id in (${posts}) and closed_at is null`,
    ),
    closeClaimReports: db.run(
      sql`update claim_reports set closed_at = ${now} where post_id in (${posts}) and closed_at is null`,
    ),
  };
}

/** Condition: the last decision on the post's case was made at this time. */
export function isAsDecided(postId: string, decidedAt: number): SQL {
  return sql`exists (
    select 1 from moderation_cases w where w.post_id = ${postId} and w.status = 'decided' and w.since = ${decidedAt})`;
}

/** Statements: undo the decision that was made at this time, and reopen the case and its reports. */
export function reviveCase(db: Db, postId: string, decidedAt: number) {
  return {
    reopenPostReports: db.run(sql`
      update post_reports set closed_at = null
      where post_id = ${postId} and closed_at = ${decidedAt} and ${isAsDecided(postId, decidedAt)}`),
    reopenClaimReports: db.run(sql`
      update claim_reports set closed_at = null
      where post_id = ${postId} and closed_at = ${decidedAt} and ${isAsDecided(postId, decidedAt)}`),
    updateCase: db.run(sql`
      update moderation_cases set status = 'open', since = waiting_since_before, decision = null,
        is_cleared = is_cleared_before, is_edited = is_edited_before
      where post_id = ${postId} and ${isAsDecided(postId, decidedAt)}`),
  };
}

const OVERDUE_MS = REPORT_OVERDUE_HOURS * HOUR_MS;

/** Notifies platform admins of new and overdue cases, with one notice per admin for all cases. */
export async function notifyAdmins(env: Env, db: Db, now: number): Promise<void> {
  const due = sql`moderation_cases w where w.status = 'open' and w.tell_due_at <= ${now}`;
  const anything = await queryFirst(db, idRow)`select w.id from ${due} limit 1`;
  if (!anything) return;
  const admins = await queryRows(db, idRow)`select a.id from users a where ${isActingAdmin('a')}`;
  const { notified } = await batch(db, {
    // Due cases are read again in the transaction, so that only one of two concurrent jobs notifies.
    notified: notifyAdminsOfCases(db, idsOf(admins), due, now),
    updateModerationCases: db.run(sql`
      update moderation_cases set tell_due_at = ${now + OVERDUE_MS}, times_told = times_told + 1
      where status = 'open' and tell_due_at <= ${now}`),
  });
  await deliverNotices(env, db, idsOf(notified));
}

/** What must be done after a decision is stored. */
export type DecisionEffects = { noticeIds: string[]; postsToMatch: string[]; hiddenPosts?: string[] };
