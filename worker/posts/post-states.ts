import { type SQL, sql } from 'drizzle-orm';
import type { HiddenBy, Outcome } from '#contract/posts.ts';
import { closeClaimsOf } from '#worker/claims/close-claims.ts';
import { isOpenClaim } from '#worker/conditions/claims.ts';
import { arePaused, bitsOf, type Hider, isOpenEvenHidden } from '#worker/conditions/posts.ts';
import type { Db, Handle } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/statements.ts';
import { endCases } from '#worker/moderation/cases.ts';
import { notifyParties } from '#worker/notices/keep-notice.ts';
import { rememberUnread, reviseUnreadNotices, withdrawNotices } from '#worker/notices/withdraw-notices.ts';
import { deletePhotosOf } from '#worker/photos/objects.ts';

// Each function returns a group of statements for one batch: the statement that changes the posts' state, and those
// that must follow. `posts` is a post's id or a select of ids. The select must not depend on the columns that
// `returnPosts` and `closePosts` change, because later statements run it again. `withdrawn` returns the ids of the
// notices to pass to `deliverNotices`.

/**
 * Statements: mark posts as returned, exclude them from matching, withdraw unread notices about them, and close their
 * claims. A post that is already returned keeps the time of its first return.
 * @param outcome as stated by the author.
 */
export function returnPosts(db: Db, posts: SQL, now: number, outcome: Outcome = 'returned') {
  return {
    ...endMatching(db, posts),
    updatePosts: db.run(sql`
      update posts set is_found = 1, found_at = iif(is_found, found_at, ${now}), outcome = ${outcome}, away_since = null,
        match_pending_since = null
      where id in (${posts})`),
    claims: closeClaimsOf(db, posts, now),
  };
}

/**
 * Statements: close posts, so that only their authors see them. The statements also exclude the posts from matching,
 * withdraw unread notices about them, and close their claims. Returned posts stay returned.
 */
export function closePosts(db: Db, posts: SQL, now: number, outcome: Outcome) {
  return {
    ...endMatching(db, posts),
    updatePosts: db.run(sql`
      update posts set away_since = iif(outcome is null, ${now}, away_since), outcome = ${outcome}, match_pending_since = null
      where id in (${posts}) and is_found = 0`),
    claims: closeClaimsOf(db, posts, now),
  };
}

// The clean-up job (sweep) marks a post as resting. Lists, searches and matching read this mark and do not compare
// times, because an index cannot depend on the current time.

/**
 * The most posts whose state one batch changes. The number is low, because each post changes several rows in other
 * tables.
 */
export const POSTS_AT_ONCE = 100;

/** Selects, for `in (…)`, a limited number of a community's open posts, including hidden ones. */
export function selectOpenIn(communityId: string): SQL {
  return sql`
    select p.id from posts p indexed by posts_open
    where p.community_id = ${communityId} and ${isOpenEvenHidden('p')}
    order by p.posted_by, p.seq limit ${POSTS_AT_ONCE}`;
}

/** Statements: mark posts as resting, exclude them from matching, and withdraw unread notices about them. */
export function restPosts(db: Db, posts: SQL, now: number) {
  return {
    ...endMatching(db, posts),
    updatePosts: db.run(sql`update posts set away_since = ${now}, match_pending_since = null where id in (${posts})`),
  };
}

/**
 * Statements: hide posts, exclude them from matching, withdraw unread notices about them, and notify claimants that
 * their claims are paused. Running the statements again changes nothing. `paused`, like `withdrawn`, returns the ids of
 * notices to deliver.
 * @param reason for the author; null leaves an existing reason unchanged.
 */
export function hidePosts(db: Db, posts: SQL, by: readonly Hider[], now: number, reason: SQL | null = null) {
  return {
    paused: notifyParties(db, { type: 'claim_paused', to: 'claimant', which: arePausedBy(posts, by, now) }, now),
    ...endMatching(db, posts),
    updatePosts: db.run(sql`
      update posts set hidden_by = hidden_by | ${bitsOf(by)}, match_pending_since = null,
        hidden_reason = coalesce(${reason}, hidden_reason)
      where id in (${posts})`),
  };
}

/**
 * Condition on claims `k`: hiding the posts pauses these claims. If the posts are hidden because an account was closed,
 * no claim is paused, because closing the account also closes its claims.
 */
function arePausedBy(posts: SQL, by: readonly Hider[], now: number): SQL {
  if (by.every((hider) => hider === 'closed_account')) return sql`false`;
  return sql`(k.post_id in (select h.id from posts h where h.id in (${posts}) and h.hidden_by = 0)
    and ${isOpenClaim('k', now)})`;
}

/**
 * Statement: removes these reasons for hiding from posts, and returns the ids of the posts to match. Open posts without
 * another reason for hiding are matched again. If unread notices about them were withdrawn, matching creates these
 * notices again.
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

/**
 * Statements: delete posts with all data that depends on them. Their open cases are decided, and their claims are
 * closed. All their notices are withdrawn, read ones too, and deleted once the mailboxes have retracted them.
 */
export function deletePosts(db: Db, posts: SQL, now: number) {
  const pairs = sql`lost_post_id in (${posts}) or found_post_id in (${posts})`;
  return {
    withdrawn: withdrawNotices(db, posts),
    endCases: endCases(db, posts, now),
    claims: closeClaimsOf(db, posts, now),
    unmatched: unmatch(db, posts),
    deleteAnswers: db.run(sql`delete from match_answers where pair_id in (select id from match_pairs where ${pairs})`),
    deletePairs: db.run(sql`delete from match_pairs where ${pairs}`),
    forgetPausedNumbers: forgetPausedNumbers(db, posts),
    deletePhotos: deletePhotosOf(db, posts),
    deletePosts: db.run(sql`delete from posts where id in (${posts})`),
  };
}

/**
 * Statement: if the post is hidden, deletes the phone numbers of claimants who got their item back. The post's
 * author cannot see these numbers while the post is hidden, but could see them after the post is deleted.
 */
function forgetPausedNumbers(db: Handle, posts: SQL) {
  return db.run(sql`
    update claims set phone_number = null where state = 'handed_over' and post_id in (
      select p.id from posts p where p.id in (${posts}) and ${arePaused('p')})`);
}

/** Statements: exclude posts from matching, and withdraw unread notices about them. */
function endMatching(db: Db, posts: SQL) {
  return {
    remembered: rememberUnread(db, posts),
    withdrawn: reviseUnreadNotices(db, posts),
    unmatched: unmatch(db, posts),
  };
}

/** Statements: delete the posts' data for matching, so that new posts are no longer compared with these posts. */
function unmatch(db: Handle, posts: SQL) {
  const seqs = sql`select h.seq from posts h where h.id in (${posts})`;
  return {
    deleteMatchTerms: db.run(sql`delete from match_terms where post_seq in (${seqs})`),
    deleteMatchReadings: db.run(sql`delete from match_readings where post_seq in (${seqs})`),
  };
}
