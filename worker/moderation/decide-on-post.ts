import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DECISION_UNDO_SECONDS } from '#contract/limits.ts';
import { decisionSchema } from '#contract/moderation.ts';
import { HIDDEN_BY, type HiddenBy } from '#contract/posts.ts';
import { assertMay } from '#worker/communities/community-rules.ts';
import { selectCommunityWhere } from '#worker/communities/find-community.ts';
import { bitsOf, readHiddenBy } from '#worker/conditions/posts.ts';
import { type Db, publishAs, publishAsPlatformAdmin, readAs } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryFirst, type RowOf, readAsPlatformAdmin } from '#worker/db/statements.ts';
import type { Env } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import { forgetPosts } from '#worker/http/edge-cache.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { matchPost } from '#worker/matching/match-post.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { keepNotice, toStandingMessage } from '#worker/notices/keep-notice.ts';
import { hidePosts, restorePosts } from '#worker/posts/post-states.ts';
import { closeCase, type DecisionEffects, isAsDecided, isWaiting, reviveCase } from './cases.ts';
import { logAction } from './moderation-log.ts';

/** Statement: the post to decide on. */
function selectJudged(db: Db, postId: string) {
  return queryFirst(db, judgedPostRow)`
    select p.id, p.title, p.hidden_by, u.suspended_at is not null as is_author_suspended,
      k.decision, k.since, k.waiting_since_before, k.hidden_by_before, k.hidden_reason_before
    from posts p join users u on u.id = p.author_id left join moderation_cases k on k.post_id = p.id
    where p.id = ${postId}`;
}

/** @throws AppError forbidden unless the viewer is a platform admin. */
export async function findJudged(db: Db, viewer: Viewer, postId: string) {
  const { post } = await readAsPlatformAdmin(db, viewer, { post: selectJudged(db, postId) });
  return post;
}

/** Expression: the author of the post. */
export function authorOf(postId: string): SQL {
  return sql`(select w.author_id from posts w where w.id = ${postId})`;
}

/** Condition: at least one cause in `by` hides the post. */
export function isHiddenBy(postId: string, by: readonly HiddenBy[]): SQL {
  return sql`exists (select 1 from posts w where w.id = ${postId} and (w.hidden_by & ${bitsOf(by)}) <> 0)`;
}

/** Hides the post on behalf of platform admins. If two admins act simultaneously, the author gets one notice. */
export async function hideForAdmins(
  db: Db,
  viewer: Viewer,
  post: JudgedPost,
  reason: string,
): Promise<DecisionEffects> {
  const now = Date.now();
  const message = toStandingMessage(post, { by: 'admin', reason }, { id: newId(), now });
  const isDue = sql`(not ${isHiddenBy(post.id, ['admin'])} or ${isWaiting(post.id)})`;
  const { hidden } = await publishAsPlatformAdmin(db, viewer, {
    keepNotice: keepNotice(db, { message, recipientId: authorOf(post.id), condition: isDue }, now),
    logAction: logAction(
      db,
      { actor: viewer, action: 'hide', targetType: 'post', targetId: post.id, reason },
      now,
      isDue,
    ),
    closeCase: closeCase(db, { postId: post.id, decision: 'hidden', condition: isDue }, now),
    hidden: hidePosts(db, sql`${post.id}`, ['admin'], now, sql`${reason}`),
  });
  return {
    noticeIds: [message.id, ...idsOf([...hidden.paused, ...hidden.withdrawn])],
    postsToMatch: [],
    hiddenPosts: [post.id],
  };
}

const LIFTED = HIDDEN_BY.filter((by) => by !== 'community_suspension');

/** Removes every cause of hiding except the suspension of the community. Later reports cannot hide the post again. */
export async function restoreForAll(
  db: Db,
  viewer: Viewer,
  post: JudgedPost,
  reason: string | null,
): Promise<DecisionEffects> {
  const now = Date.now();
  const message = toStandingMessage(post, null, { id: newId(), now });
  const wasHidden = isHiddenBy(post.id, LIFTED);
  const isShown = sql`(${wasHidden} and not ${isHiddenBy(post.id, ['community_suspension'])})`;
  const isDue = sql`(${wasHidden} or not exists (
    select 1 from moderation_cases w where w.post_id = ${post.id} and w.status = 'decided' and w.is_cleared))`;
  const { restored } = await publishAsPlatformAdmin(db, viewer, {
    keepNotice: keepNotice(db, { message, recipientId: authorOf(post.id), condition: isShown }, now),
    logAction: logAction(
      db,
      { actor: viewer, action: 'restore', targetType: 'post', targetId: post.id, reason },
      now,
      isDue,
    ),
    closeCase: closeCase(db, { postId: post.id, decision: 'restored', condition: isDue }, now),
    restored: restorePosts(db, sql`${post.id}`, LIFTED, now),
  });
  return { noticeIds: [message.id], postsToMatch: idsOf(restored) };
}

/**
 * Reads a post of the community for its admins to decide on.
 * @throws AppError community_not_found for a stranger, forbidden for a member who is not an admin, post_not_found for a
 * post that is not in the community.
 */
export async function findInCommunity(
  db: Db,
  viewer: Viewer,
  place: { communityId: string; postId: string },
): Promise<JudgedPost> {
  const { community, inside, post } = await readAs(db, viewer, {
    community: selectCommunityWhere(db, viewer, sql`c.id = ${place.communityId}`),
    inside: queryFirst(db, idRow)`
      select id from posts where id = ${place.postId} and community_id = ${place.communityId}`,
    post: selectJudged(db, place.postId),
  });
  assertMay('judge_post', community);
  if (!inside || !post) throw new AppError('post_not_found');
  return post;
}

/** Hides the post on behalf of its community's admins. */
export async function hideForCommunity(
  db: Db,
  viewer: Viewer,
  post: JudgedPost,
  reason: string,
): Promise<DecisionEffects> {
  const now = Date.now();
  const message = toStandingMessage(post, { by: 'community', reason }, { id: newId(), now });
  const isDue = sql`not ${isHiddenBy(post.id, ['community'])}`;
  const { hidden } = await publishAs(db, viewer, {
    keepNotice: keepNotice(db, { message, recipientId: authorOf(post.id), condition: isDue }, now),
    logAction: logAction(
      db,
      { actor: viewer, action: 'hide', targetType: 'post', targetId: post.id, reason },
      now,
      isDue,
    ),
    hidden: hidePosts(db, sql`${post.id}`, ['community'], now, sql`${reason}`),
  });
  return { noticeIds: [message.id, ...idsOf([...hidden.paused, ...hidden.withdrawn])], postsToMatch: [] };
}

/** Undoes only the hiding by the community's admins. */
export async function restoreForCommunity(
  db: Db,
  viewer: Viewer,
  post: JudgedPost,
  reason: string | null,
): Promise<DecisionEffects> {
  const now = Date.now();
  const message = toStandingMessage(post, null, { id: newId(), now });
  const isDue = isHiddenBy(post.id, ['community']);
  const isShown = sql`${isDue} and not ${isHiddenBy(post.id, ['reports', 'admin', 'suspension', 'community_suspension'])}`;
  const { restored } = await publishAs(db, viewer, {
    keepNotice: keepNotice(db, { message, recipientId: authorOf(post.id), condition: isShown }, now),
    logAction: logAction(
      db,
      { actor: viewer, action: 'restore', targetType: 'post', targetId: post.id, reason },
      now,
      isDue,
    ),
    restored: restorePosts(db, sql`${post.id}`, ['community'], now),
  });
  return { noticeIds: [message.id], postsToMatch: idsOf(restored) };
}

/**
 * Undoes a decision of the last few minutes, even another admin's. Afterwards the case is open again, and the post is
 * as visible as before the decision.
 * @returns null if it is too late, or if somebody has decided since.
 */
export async function undoDecision(db: Db, viewer: Viewer, post: JudgedPost): Promise<DecisionEffects | null> {
  const now = Date.now();
  const { id, since } = post;
  if (since === null || post.waiting_since_before === null || since < now - DECISION_UNDO_SECONDS * 1000) return null;
  const before = readHiddenBy(post.hidden_by_before ?? 0);
  const undo = post.decision === 'restored' ? hideAgain : showAgain;
  return undo(db, viewer, { post, before, decidedAt: since, now, isDue: isAsDecided(id, since) });
}

type Undoing = {
  post: JudgedPost;
  before: ReturnType<typeof readHiddenBy>;
  decidedAt: number;
  now: number;
  isDue: ReturnType<typeof isAsDecided>;
};

async function hideAgain(db: Db, viewer: Viewer, undoing: Undoing): Promise<DecisionEffects | null> {
  const { post, now, decidedAt, isDue } = undoing;
  const before = undoing.before.filter(
    (by) => by !== 'community_suspension' && (by !== 'suspension' || post.is_author_suspended === 1),
  );
  const reason = post.hidden_reason_before;
  const [by] = before;
  const message = toStandingMessage(post, { by: by ?? 'admin', reason }, { id: newId(), now });
  const { undone, hidden } = await publishAsPlatformAdmin(db, viewer, {
    undone: selectDue(db, undoing),
    logUndoing: logUndoing(db, viewer, undoing),
    keepNotice: keepNotice(db, { message, recipientId: authorOf(post.id), condition: by ? isDue : sql`false` }, now),
    hidden: hidePosts(db, by ? selectDuePost(undoing) : sql`null`, before, now, sql`${reason}`),
    reviveCase: reviveCase(db, post.id, decidedAt),
  });
  return undone
    ? {
        noticeIds: [message.id, ...idsOf([...hidden.paused, ...hidden.withdrawn])],
        postsToMatch: [],
        hiddenPosts: [post.id],
      }
    : null;
}

async function showAgain(db: Db, viewer: Viewer, undoing: Undoing): Promise<DecisionEffects | null> {
  const { post, before, now, decidedAt, isDue } = undoing;
  const message = toStandingMessage(post, null, { id: newId(), now });
  // If the post's community has been suspended since the decision, the post stays hidden and the author gets no notice.
  const isShown =
    before.length === 0 ? sql`(${isDue} and not ${isHiddenBy(post.id, ['community_suspension'])})` : sql`false`;
  const { undone, restored } = await publishAsPlatformAdmin(db, viewer, {
    undone: selectDue(db, undoing),
    logUndoing: logUndoing(db, viewer, undoing),
    keepNotice: keepNotice(db, { message, recipientId: authorOf(post.id), condition: isShown }, now),
    restored: restorePosts(db, selectDuePost(undoing), before.includes('admin') ? [] : ['admin'], now),
    reviveCase: reviveCase(db, post.id, decidedAt),
  });
  return undone ? { noticeIds: [message.id], postsToMatch: idsOf(restored) } : null;
}

function selectDue(db: Db, undoing: Undoing) {
  return queryFirst(db, idRow)`select w.id from posts w where w.id in (${selectDuePost(undoing)})`;
}

function selectDuePost({ post, isDue }: Undoing) {
  return sql`select w.post_id from moderation_cases w where w.post_id = ${post.id} and ${isDue}`;
}

function logUndoing(db: Db, viewer: Viewer, { post, now, isDue }: Undoing) {
  return logAction(
    db,
    { actor: viewer, action: 'undo', targetType: 'post', targetId: post.id, reason: null },
    now,
    isDue,
  );
}

/**
 * How many of a person's restored posts are matched right after the response. The scheduled sweep matches the person's
 * other restored posts, perhaps a thousand.
 */
const MATCHED_NOW_MAX = 20;

/**
 * Delivers notices and matches restored posts again, after the response. The scheduled sweep completes any work that
 * this function leaves undone.
 */
export function continueDecision(c: AppContext, { noticeIds, postsToMatch, hiddenPosts = [] }: DecisionEffects): void {
  const { env } = c;
  continueAfterAnswer(c, deliverNotices(env, c.var.db, noticeIds));
  forgetPosts(c, hiddenPosts);
  continueAfterAnswer(c, matchInTurn(env, c.var.db, postsToMatch.slice(0, MATCHED_NOW_MAX)));
}

async function matchInTurn(env: Env, db: Db, postIds: string[]): Promise<void> {
  for (const postId of postIds) await matchPost(env, db, postId);
}

/** A post for an admin to decide on, with its case if it has one. */
const judgedPostRow = () =>
  z.object({
    id: z.string(),
    title: z.string(),
    hidden_by: z.number(),
    is_author_suspended: flag(),
    decision: z.nullable(decisionSchema),
    since: z.nullable(z.number()),
    /** Since when the case had been open before the decision; null if no case was open. */
    waiting_since_before: z.nullable(z.number()),
    hidden_by_before: z.nullable(z.number()),
    hidden_reason_before: z.nullable(z.string()),
  });
export type JudgedPost = RowOf<typeof judgedPostRow>;
